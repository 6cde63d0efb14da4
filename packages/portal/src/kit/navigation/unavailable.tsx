import { Trans, useLingui } from '@lingui/react/macro';
import { Rejection } from '../../api/ask.ts';
import { Empty } from './page.tsx';

/** Stands in the frame for what does not exist or is forbidden. */
export function Unavailable({ error }: { error: unknown }) {
  const { t } = useLingui();
  if (error instanceof Rejection && error.code === 'PERMISSION_DENIED') return <NoPermission />;
  return (
    <div role="alert">
      <Empty icon="alert" title={t`Not found`}>
        <Trans>It was deleted, the link is wrong, or you do not have access.</Trans>
      </Empty>
    </div>
  );
}

export function NoPermission() {
  const { t } = useLingui();
  return (
    <div role="alert">
      <Empty icon="lock" title={t`No access`}>
        <Trans>You do not have the permission for this page. A company admin can give it to you.</Trans>
      </Empty>
    </div>
  );
}
