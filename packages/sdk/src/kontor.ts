import type { ApiPromise } from './answer.ts';
import type { Health } from './contract.ts';
import { type KontorOptions, type RequestOptions, settingsOf } from './options.ts';
import { Divisions } from './resources/divisions.ts';
import { Employees } from './resources/employees.ts';
import { Incidents } from './resources/incidents.ts';
import { Orders } from './resources/orders.ts';
import { PayrollExportDocuments } from './resources/payroll-export-documents.ts';
import { Transport } from './transport/transport.ts';

/** A client of the public API of a Kontor. */
export class Kontor {
  /** Employees: read, create and update. */
  readonly employees: Employees;
  /** Divisions: read, create and update. */
  readonly divisions: Divisions;
  /** Orders: read, decide, and download their documents. */
  readonly orders: Orders;
  /** Incidents: read, report, update, and attach evidence. */
  readonly incidents: Incidents;
  /** Payroll export documents: read, and download their files. */
  readonly payrollExportDocuments: PayrollExportDocuments;
  readonly #transport: Transport;

  /**
   * Default: the key, the address and the tenant are `KONTOR_API_KEY`, `KONTOR_BASE_URL` and `KONTOR_TENANT_ID`.
   * @throws TypeError without a key and a base URL, in the options or in the environment, and for an unknown option
   */
  constructor(options: KontorOptions = {}) {
    const transport = new Transport(settingsOf(options));
    this.#transport = transport;
    this.employees = new Employees(transport);
    this.divisions = new Divisions(transport);
    this.orders = new Orders(transport);
    this.incidents = new Incidents(transport);
    this.payrollExportDocuments = new PayrollExportDocuments(transport);
  }

  /** Whether the service is available. It costs no quota. */
  health(options?: RequestOptions): ApiPromise<Health> {
    return this.#transport.json('getHealth', { options });
  }
}
