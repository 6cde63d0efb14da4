import assert from 'node:assert/strict';
import type { PlatformFixture } from '../../platform/support.ts';
import type { ApiClient } from '../../support/contract/client.ts';
import { storeEmployees } from '../../support/data/employees.ts';
import { contractInput, historyInput, orderInput, storeOrders } from '../../support/data/orders.ts';
import { settingsInput } from './support.ts';

/** A tenant and the paths of its payroll. */
export interface Tenant {
  readonly id: string;
  readonly settings: string;
  readonly runs: string;
}

interface NewOrder {
  readonly contract?: object;
  readonly employee?: object;
  /** An employee who exists; a new one when absent. */
  readonly of?: string;
}

/** Tenants with payroll runs of their own, as a tenant has one run at a time. `own` sends the requests of the platform. */
export class Tenants {
  readonly #fixture: PlatformFixture;
  readonly #client: () => ApiClient;

  constructor(fixture: PlatformFixture, own: () => ApiClient = () => fixture.own) {
    this.#fixture = fixture;
    this.#client = own;
  }

  get #own(): ApiClient {
    return this.#client();
  }

  at(path: string): string {
    return `/organizations/${this.#fixture.testData.organization}${path}`;
  }

  async create(settings: object | null = {}): Promise<Tenant> {
    const { body } = await this.#own.post(this.at('/tenants'), { name: `Muster ${Math.random()}` });
    const paths = {
      settings: this.at(`/tenants/${body.id}/payroll-settings`),
      runs: this.at(`/tenants/${body.id}/payroll-runs`),
    };
    if (settings !== null) await this.set(paths, settings);
    return { id: body.id, ...paths };
  }

  async set(tenant: Pick<Tenant, 'settings'>, settings: object): Promise<void> {
    const answer = await this.#own.post(tenant.settings, { ...settingsInput, ...settings });
    assert.equal(answer.status, 200, answer.bytes.toString());
  }

  /** An active order of a new employee: 83.10 are converted a month, and the benefit is 8.00. */
  async activeOrder(tenant: Tenant, { contract = {}, employee = {}, of }: NewOrder = {}) {
    const { sql, testData } = this.#fixture;
    const organizationId = testData.organization;
    const employeeId = of ?? (await this.#employ(tenant, employee));
    const input = orderInput({
      employeeId,
      status: 'active',
      hrHistory: historyInput('approved'),
      contract: contractInput({
        contractNumber: 'LV-1',
        startDate: '2026-09-01',
        endDate: '2029-08-31',
        ...contract,
      }),
    });
    const [found] = await storeOrders(sql, { organizationId, tenantId: tenant.id }, [input]);
    return { employeeId, orderId: found!.id };
  }

  async #employ(tenant: Tenant, employee: object): Promise<string> {
    const { sql, testData } = this.#fixture;
    const person = { tenant: tenant.id, employeeNumber: '1234', ...employee };
    const [stored] = await storeEmployees(sql, testData.organization, [person]);
    const { id } = stored!;
    await sql`
      UPDATE employee SET activated_at = now() WHERE organization_id = ${testData.organization} AND id = ${id}`;
    return id;
  }

  /** Reports parental leave, which suspends. */
  async reportLeave(
    order: { employeeId: string; orderId: string },
    effectiveFrom: string,
    effectiveTo: string,
  ) {
    const leave = { type: 'parental_leave', occurredOn: effectiveFrom, effectiveFrom, effectiveTo };
    const answer = await this.#fixture.client.post('/incidents', {
      ...order,
      ...leave,
      description: 'Elternzeit',
    });
    assert.equal(answer.body.status, 'completed', answer.bytes.toString());
    return answer.body;
  }

  createRun(tenant: Tenant, period: string, more: object = {}) {
    return this.#own.post(tenant.runs, { period, formats: ['csv'], ...more });
  }

  async draft(tenant: Tenant, period: string, more: object = {}) {
    const created = await this.createRun(tenant, period, more);
    assert.equal(created.status, 201, created.bytes.toString());
    for (;;) {
      const run = await this.read(created.body);
      if (run.status !== 'computing') return run;
    }
  }

  async read(run: { id: string }) {
    return (await this.#own.get(this.at(`/payroll-runs/${run.id}`))).body;
  }

  /** Requests a release, and reads the run until it has ended. Returns the last answer, that of the request where it was rejected. */
  async release(run: { id: string }, client: ApiClient = this.#own) {
    const path = this.at(`/payroll-runs/${run.id}`);
    let answer = await client.request('POST', `${path}/release`);
    while (answer.body.status === 'releasing') answer = await this.#own.get(path);
    return answer;
  }

  async released(tenant: Tenant, period: string, more: object = {}) {
    const answer = await this.release(await this.draft(tenant, period, more));
    assert.deepEqual([answer.status, answer.body.status], [200, 'released'], answer.bytes.toString());
    return answer.body;
  }

  discard(run: { id: string }) {
    return this.#own.request('POST', this.at(`/payroll-runs/${run.id}/discard`));
  }

  async findings(run: { id: string }, query: Record<string, string | number> = {}) {
    return (await this.#own.get(this.at(`/payroll-runs/${run.id}/findings`), { query })).body.items;
  }

  /** The released documents of a run with their bytes, in the order of the run. */
  async filesOf(run: { documents: { id: string }[] }) {
    const { client } = this.#fixture;
    const files = [];
    for (const { id } of run.documents) {
      const { body: document } = await client.get(`/payroll-export-documents/${id}`);
      const { bytes } = await client.get(`/payroll-export-documents/${id}/download`);
      files.push({ document, bytes });
    }
    return files;
  }

  auditOf(targetId: string) {
    const { sql, testData } = this.#fixture;
    return sql<
      {
        action: string;
        fields: string[];
        actor_type: string;
        outcome: string;
        reason: string | null;
      }[]
    >`
      SELECT action, fields, actor_type, outcome, reason FROM audit
      WHERE organization_id = ${testData.organization} AND target_id = ${targetId} ORDER BY at, action`;
  }
}
