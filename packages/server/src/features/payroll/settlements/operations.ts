import {
  createPayrollSettlement,
  createPortalPayrollSettlement,
  dryRunId,
  exportPortalPayrollReceivables,
  listPayrollReceivables,
  listPortalPayrollReceivables,
} from '@kontor/contract';
import type { AnswerOf, CallOf } from '../../../http/implement.ts';
import { ok } from '../../../http/route.ts';
import { checkTenant, type Parts } from '../parts.ts';
import { readReceivables, receivablesFile } from './receivables.ts';
import { settle } from './settle.ts';

/** The operations of what no run exports. The platform and the portal serve them under different names. */
export function settlementOperations(parts: Parts) {
  const { reads, writes } = parts;
  return {
    async createSettlement(
      call: CallOf<typeof createPayrollSettlement | typeof createPortalPayrollSettlement>,
    ): Promise<AnswerOf<typeof createPayrollSettlement>> {
      const settlement = await writes.runWithoutClock(call, (write, session) =>
        settle(write, session, { ...call.body, scope: call.scope }),
      );
      if (call.dryRun) return ok(JSON.stringify({ ...settlement, id: dryRunId }));
      const Location = parts.addressOf('orders')(call.scope.organizationId, settlement.orderId);
      return { status: 201, body: JSON.stringify(settlement), headers: { Location } };
    },
    async listReceivables(call: CallOf<typeof listPayrollReceivables | typeof listPortalPayrollReceivables>) {
      await checkTenant(parts, call);
      const page = { tenantId: call.parameters.id, ...call.query };
      return ok(JSON.stringify(await readReceivables(reads, call.scope, page)));
    },
    async exportReceivables(
      call: CallOf<typeof exportPortalPayrollReceivables>,
    ): Promise<AnswerOf<typeof exportPortalPayrollReceivables>> {
      await checkTenant(parts, call);
      const { id } = call.parameters;
      const stream = await receivablesFile(reads, call.scope, { tenantId: id, ...call.body });
      await writes.runWithoutClock(call, write =>
        write.audit({ id, action: 'tenant.export_payroll_receivables' }),
      );
      return {
        status: 200,
        file: { stream, fileName: 'kontor-open-amounts.csv', mediaType: 'text/csv', size: null },
      };
    },
  };
}
