import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Order, PayrollExportDocument, PayrollRun } from '@kontor/contract';
import type { PlatformFixture } from '../../platform/support.ts';
import type { Answer } from '../../support/contract/client.ts';
import { contractInput, productInput } from '../../support/data/orders.ts';

/** The body of an answer with the expected status. */
export function bodyOf<T>({ status, body }: Answer<T>, expected = 200): T {
  assert.equal(status, expected, JSON.stringify(body));
  return body;
}

interface HandedOver {
  readonly employeeId: string;
  /** The number of the order, and of its contract. */
  readonly number: string;
  readonly contract?: Record<string, unknown>;
  readonly startDate: string;
  readonly endDate?: string;
}

/** Steps of the platform and of customers in the stories of payroll, each through its API. */
export class Steps {
  readonly #fixture: PlatformFixture;

  constructor(fixture: PlatformFixture) {
    this.#fixture = fixture;
  }

  /** A path of the platform API inside the organization. */
  at(path: string): string {
    return `/organizations/${this.#fixture.testData.organization}${path}`;
  }

  /** Takes an order in, lets the customer approve it with an API key, and hands it over. */
  async takeInAndHandOver(
    { employeeId, number, contract = {}, ...days }: HandedOver,
    key: string,
  ): Promise<Order> {
    const { own, client } = this.#fixture;
    const intake = {
      externalId: `shop-${number}`,
      orderNumber: number,
      employeeId,
      products: [productInput()],
      contract: contractInput(contract),
      submittedAt: new Date().toISOString(),
    };
    const { id } = bodyOf(await own.post(this.at('/orders'), intake), 201);
    bodyOf(await client.post(`/orders/${id}/decision`, { decision: 'approved' }, { key }));
    bodyOf(await own.post(this.at(`/orders/${id}/readiness`), undefined));
    return bodyOf(await own.post(this.at(`/orders/${id}/handover`), { contractNumber: number, ...days }));
  }

  async #draft(
    tenant: string,
    run: { period: string; formats: string[]; divisionId?: string },
  ): Promise<PayrollRun> {
    const { own } = this.#fixture;
    return this.#finish(bodyOf(await own.post(this.at(`/tenants/${tenant}/payroll-runs`), run), 201));
  }

  /** Reads a run until no job works on it. */
  async #finish(run: PayrollRun): Promise<PayrollRun> {
    if (run.status !== 'computing' && run.status !== 'releasing') return run;
    await delay(10);
    return this.#finish(bodyOf(await this.#fixture.own.get(this.at(`/payroll-runs/${run.id}`))));
  }

  /** Drafts and releases a run without errors. */
  async release(
    tenant: string,
    run: { period: string; formats: string[]; divisionId?: string },
  ): Promise<PayrollRun> {
    const draft = await this.#draft(tenant, run);
    assert.deepEqual([draft.status, draft.summary?.errors], ['draft', 0]);
    const released = await this.#finish(
      bodyOf(await this.#fixture.own.post(this.at(`/payroll-runs/${draft.id}/release`), undefined)),
    );
    assert.equal(released.status, 'released', JSON.stringify(released.failure));
    return released;
  }

  /** Downloads a document with an API key, and verifies size and SHA-256 of its file. */
  async download(id: string, key: string): Promise<{ document: PayrollExportDocument; bytes: Buffer }> {
    const { client } = this.#fixture;
    const document: PayrollExportDocument = bodyOf(
      await client.get(`/payroll-export-documents/${id}`, { key }),
    );
    const { status, bytes } = await client.get(`/payroll-export-documents/${id}/download`, { key });
    assert.deepEqual([document.status, status], ['available', 200]);
    assert.equal(bytes.length, document.size);
    assert.equal(createHash('sha256').update(bytes).digest('hex'), document.sha256);
    return { document, bytes };
  }
}
