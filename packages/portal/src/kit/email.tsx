import { Fragment } from 'react';

/** An email address. It breaks between its parts where that suffices; one part can be longer than a phone is wide. */
export function Email({ address }: { address: string }) {
  return (
    <span data-breaks style={{ overflowWrap: 'anywhere' }}>
      {address.split(/(?=[@.])/).map((part, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  );
}
