import { pepperFingerprint } from '../../auth/secrets.ts';
import { findPepperedKeys, givenPeppers, type PepperedKey } from '../../features/keys/pepper.ts';
import { showInstants, type Shown } from '../../lib/render-row.ts';
import { attentionCode, defineDatabaseCommand } from '../program/command.ts';
import { listTable, minute, table } from '../program/output.ts';
import { configuredPepper, pepperSettings } from './key.ts';

export const pepperShow = defineDatabaseCommand({
  summary:
    'Show how many keys and tokens each pepper has, and those that still need another one than the present',
  example: 'pepper show',
  settings: pepperSettings,
  async run({ db, config }) {
    const pepper = await configuredPepper(db, config);
    const present = pepperFingerprint(pepper);
    const given = givenPeppers(pepper);
    const stateOf = (fingerprint: string) =>
      fingerprint === present ? 'present' : given.has(fingerprint) ? 'previous' : 'not given';
    const keys = await findPepperedKeys(db);
    const counts = new Map([...given].map(fingerprint => [fingerprint, 0]));
    for (const key of keys) counts.set(key.pepper, (counts.get(key.pepper) ?? 0) + 1);
    const peppers = Array.from(counts, ([fingerprint, n]) => ({
      fingerprint,
      state: stateOf(fingerprint),
      keys: n,
    }));
    const left = keys.filter(key => key.pepper !== present).map(showInstants);
    const rows = peppers.map(({ fingerprint, state, keys }) => [fingerprint, state, keys]);
    return {
      json: { peppers, left },
      text: `${table(['pepper', 'state', 'keys'], rows)}\n\n${leftText(left)}`,
      ...(left.length > 0 && { exitCode: attentionCode }),
    };
  },
});

type LeftKey = Shown<PepperedKey>;

function leftText(left: readonly LeftKey[]): string {
  return listTable<LeftKey>(left, 'All keys and tokens have the present pepper', {
    id: ({ id }) => id,
    organization: ({ organizationId }) => organizationId ?? 'platform token',
    name: ({ name }) => name,
    'last used': ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : minute(lastUsedAt)),
    pepper: ({ pepper }) => pepper,
  });
}
