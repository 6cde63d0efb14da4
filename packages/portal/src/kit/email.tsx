import { Fragment } from 'react';

/** An email address that breaks between its parts where it has too little width. */
export function Email({ address }: { address: string }) {
  return (
    <span style={{ overflowWrap: 'anywhere' }}>
      {address.split(/(?=[@.])/).map((part, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  );
}
