import { useLingui } from '@lingui/react/macro';
import type { PortalPermission } from '@kontor/contract';

/** The words for permissions, and what each is for. */
export function usePermissionWords(): Record<PortalPermission, { name: string; use: string }> {
  const { t } = useLingui();
  return {
    IT: { name: t`IT`, use: t`Manages integrations and API keys` },
    HR: { name: t`HR`, use: t`Handles HR tasks for some or all companies` },
    PAYROLL_RUN: {
      name: t`Check payroll`,
      use: t`Checks months of payroll and settles amounts, for the companies of HR`,
    },
    PAYROLL_RELEASE: {
      name: t`Release payroll`,
      use: t`Releases months of payroll, for the companies of HR`,
    },
    AUDIT: {
      name: t`Audit`,
      use: t`Reads everything of HR and IT for some or all companies, and changes nothing`,
    },
    COMPANY_ADMIN: { name: t`Company admin`, use: t`Manages the organization and its users` },
  };
}
