import { newId } from '../../../server/src/db/ids.ts';
import { insertPasskey } from '../../../server/src/features/users/passkeys/store.ts';
import { callOf, operator, Writes } from '../../../server/src/write/writes.ts';
import { type Area, dialogOf, longName } from './view.ts';

/** The account of the user. */
export const accountViews: Area = async ({ sql, testData, userId }) => {
  const key = { credentialId: 'a', publicKey: Buffer.from('b'), uses: 0, transports: [] };
  await new Writes(sql).runWithoutClock(callOf(testData.organization, operator), (write, session) =>
    insertPasskey(write, session, userId, { ...key, synced: true, id: newId(), name: longName }),
  );
  const name = { name: longName };
  return [
    { name: 'account', path: '/account' },
    { name: 'registration of a passkey', path: '/account', open: dialogOf('Register a passkey') },
    { name: 'name of a passkey', path: '/account', open: dialogOf('Rename the passkey {name}', name) },
    { name: 'removal of a passkey', path: '/account', open: dialogOf('Remove the passkey {name}', name) },
    { name: 'notifications', path: '/account/notifications' },
    { name: 'password', path: '/account/password' },
    { name: 'sessions', path: '/sessions' },
  ];
};
