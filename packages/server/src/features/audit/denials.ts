import type { AuditReason } from '@kontor/contract';
import { anonymous, noOrganization } from '../../auth/caller.ts';
import type { Pool } from '../../db/connect.ts';
import type { Denial } from '../../http/response/denial.ts';
import { inTransaction } from '../../db/transaction.ts';
import { auditTogether } from '../../write/writes.ts';
import { bounded, type Gathered, gather, maxGroups, others } from './gathered.ts';

/** How often denials are written, in milliseconds: what is alike within it is one entry. */
const interval = 60_000;

/** Tells afterwards what was wrong with credentials, by their identifiers; what is not among the answers is unknown. */
export interface Standings {
  /** The organizations that keys belong to. */
  organizationsOfKeys(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  keysAmong(organizationId: string, ids: readonly string[]): Promise<ReadonlyMap<string, AuditReason>>;
  tokensAmong(ids: readonly string[]): Promise<ReadonlyMap<string, AuditReason>>;
}

export interface DenialLogOptions {
  readonly db: Pool;
  readonly standings: Standings;
  /** Told when denials could not be written; they are tried again. */
  readonly failed: (error: unknown) => void;
}

const reasonOf = {
  tenant: 'tenant_not_in_scope',
  organization: 'organization_not_in_scope',
  operation: 'permission_missing',
} as const satisfies Partial<Record<Denial['of'], AuditReason>>;

const actionOf = {
  key: 'key.use',
  platform_token: 'platform_token.use',
  sign_in: 'user.sign_in',
  invitation: 'user.accept_invitation',
  tenant: 'tenant.select',
  organization: 'organization.select',
  operation: 'operation.call',
} as const satisfies Record<Denial['of'], string>;

/** Denials that are alike, as they were noted. */
interface Noted extends Omit<Gathered, 'reason' | 'age' | 'count' | 'requestId'> {
  count: number;
  requestId: string | null;
  readonly of: Denial['of'];
  /** Null where that is to be looked up. */
  readonly reason: AuditReason | null;
  /** Of the caller, or of whom it is about; null where it is not known yet, or is none. */
  readonly organizationId: string | null;
  /** When the last of them came, by `performance.now()`. */
  at: number;
}

/**
 * Brings refusals for lack of a right into the audit. They are gathered in memory and written once a minute, never on the way of a
 * request; whose key it was, and what was wrong with it, is looked up then. So noting one takes the same time whatever exists, and a
 * flood becomes few entries: see {@link bounded}. What was noted in the last minute is lost when the process is killed.
 */
export class DenialLog {
  readonly #db: Pool;
  readonly #standings: Standings;
  readonly #failed: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  #noted = new Map<string, Noted>();
  #flushing: Promise<void> = Promise.resolve();

  constructor({ db, standings, failed }: DenialLogOptions) {
    this.#db = db;
    this.#standings = standings;
    this.#failed = failed;
    this.#timer = setInterval(() => void this.flush(), interval).unref();
  }

  /** A request was refused. */
  note({ of, id, known, caller, requestId, address }: Denial): void {
    const { actor } = caller ?? anonymous;
    const ofCaller = caller !== null && 'organizationId' in caller.scope ? caller.scope.organizationId : null;
    this.#add({
      of,
      action: actionOf[of],
      id,
      reason: known?.reason ?? null,
      actor,
      organizationId: known?.organizationId ?? ofCaller,
      requestId,
      address: address || null,
      count: 1,
      at: performance.now(),
    });
  }

  /** Adds to what is alike; once there are too many of these, to one for all of a kind. */
  #add(noted: Noted): void {
    const { action, id, reason, actor, organizationId, address } = noted;
    const name = JSON.stringify([action, organizationId, actor.id, id, reason, address]);
    const alike = this.#noted.get(name);
    if (!alike && this.#noted.size >= maxGroups && noted.id !== others)
      return this.#add({ ...noted, id: others, actor: anonymous.actor, address: null });
    if (!alike) return void this.#noted.set(name, noted);
    alike.count += noted.count;
    if (noted.at < alike.at) return;
    alike.at = noted.at;
    alike.requestId = noted.requestId;
  }

  /** Writes what was noted; what cannot be written now is kept for the next time. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#write());
    return this.#flushing;
  }

  /** Writes the rest and stops. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  /** One organization after the other, since they may lie on different nodes: one that is away keeps none of the others. */
  async #write(): Promise<void> {
    const noted = [...this.#noted.values()];
    this.#noted = new Map();
    if (noted.length === 0) return;
    const places = await this.#placesOf(noted);
    for (const [organizationId, denials] of places)
      try {
        const known = await this.#known(organizationId, denials);
        await inTransaction(this.#db, session => auditTogether(session, organizationId, bounded(known)));
      } catch (error) {
        this.#keep(denials, error);
      }
  }

  /** The denials by the organization whose audit they belong to; none where that cannot be told now, and they are kept. */
  async #placesOf(noted: readonly Noted[]): Promise<Map<string, Noted[]>> {
    const keys = noted.filter(({ of, id }) => of === 'key' && id !== others).map(({ id }) => id);
    try {
      const owners: ReadonlyMap<string, string> =
        keys.length === 0 ? new Map() : await this.#standings.organizationsOfKeys(keys);
      const placeOf = ({ of, id, organizationId }: Noted) =>
        organizationId ?? (of === 'key' ? owners.get(id) : undefined) ?? noOrganization;
      return Map.groupBy(noted, placeOf);
    } catch (error) {
      this.#keep(noted, error);
      return new Map();
    }
  }

  /** The denials with their reasons. Of what nobody has no identifier is kept: whoever tries them makes them up. */
  async #known(organizationId: string, noted: readonly Noted[]): Promise<Gathered[]> {
    const idsOf = (of: Denial['of']) => noted.filter(denial => denial.of === of).map(({ id }) => id);
    const [keys, tokens] = [idsOf('key'), idsOf('platform_token')];
    const { keysAmong, tokensAmong } = this.#standings;
    const hasKeys = organizationId !== noOrganization && keys.length > 0;
    const reasons = {
      key: hasKeys ? await keysAmong(organizationId, keys) : new Map<string, AuditReason>(),
      platform_token: tokens.length > 0 ? await tokensAmong(tokens) : new Map<string, AuditReason>(),
    };
    const now = performance.now();
    const all = noted.map(({ of, organizationId: _place, at, reason: known, ...denial }): Gathered => {
      const age = now - at;
      if (of !== 'key' && of !== 'platform_token')
        return { ...denial, age, reason: known ?? reasonOf[of as keyof typeof reasonOf] };
      const reason = reasons[of].get(denial.id) ?? 'unknown';
      return reason === 'unknown'
        ? { ...denial, age, reason, id: denial.id === others ? others : unknown }
        : { ...denial, age, reason };
    });
    return gather(all);
  }

  #keep(denials: readonly Noted[], error: unknown): void {
    for (const denial of denials) this.#add(denial);
    this.#failed(error);
  }
}

/** The identifier of what nobody has. */
const unknown = 'unknown';
