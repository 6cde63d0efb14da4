import { Fragment } from 'react';

/** Whether a text looks like an email address. The service checks it in full. */
export const isEmailAddress = (text: string): boolean => /^\S+@\S+\.\S+$/.test(text.trim());

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
