import type { Pool } from '../../../db/connect.ts';
import type { RequestRecord } from '../../../http/request-context.ts';
import { OrganizationBuffer } from '../../../lib/organization-buffer.ts';
import { KeyUse } from './key-use.ts';
import { writeUses } from './write.ts';

/** Milliseconds between two writes. */
const interval = 5000;

type Uses = Map<string, KeyUse>;

/** Buffers the use of keys and writes it in batches. Only existing keys are recorded, so memory is bounded. */
export class KeyUsage {
  readonly #uses: OrganizationBuffer<Uses>;

  constructor(db: Pool, failed: (error: unknown) => void) {
    this.#uses = new OrganizationBuffer<Uses>({
      interval,
      create: () => new Map(),
      write: (organizationId, uses) => writeUses(db, organizationId, [...uses.values()]),
      keep: (earlier, uses) => {
        for (const [id, use] of earlier) {
          const later = uses.get(id);
          if (later) later.addEarlier(use);
          else uses.set(id, use);
        }
      },
      failed,
    });
  }

  /** Records the response to a request of a key. An aborted one has status 499. */
  answered(request: RequestRecord, status: number): void {
    const { caller } = request;
    if (caller?.actor.type === 'api_key' && 'organizationId' in caller.scope)
      useOf(this.#uses.of(caller.scope.organizationId), caller.actor.id).answered(request, status);
  }

  flush(): Promise<void> {
    return this.#uses.flush();
  }

  close(): Promise<void> {
    return this.#uses.close();
  }
}

function useOf(uses: Uses, id: string): KeyUse {
  let use = uses.get(id);
  if (!use) uses.set(id, (use = new KeyUse(id)));
  return use;
}
