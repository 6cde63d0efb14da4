import type {
  createPayrollSettlement,
  createPortalPayrollSettlement,
  decidePayrollProposal,
  decidePortalPayrollProposal,
  exportPortalPayrollReceivables,
  listPayrollProposals,
  listPayrollReceivables,
  listPortalPayrollProposals,
  listPortalPayrollReceivables,
  PayrollProposal,
  proposePayrollSettings,
  proposePayrollSettlement,
  proposePortalPayrollSettings,
  proposePortalPayrollSettlement,
} from '@kontor/contract';
import { dryRunId } from '@kontor/contract';
import type { AnswerOf, CallOf } from '../../../http/implement.ts';
import { notFound, type ResourceCall } from '../../../http/read-resource.ts';
import { ok } from '../../../http/route.ts';
import { checkTenant, type Parts } from '../parts.ts';
import { checkSettings } from '../settings.ts';
import { readReceivables, receivablesFile } from './receivables.ts';
import {
  decideProposal,
  findTenantOfProposal,
  proposeSettings,
  proposeSettlement,
  readProposals,
} from './proposals.ts';
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
    async proposeSettlement(
      call: CallOf<typeof proposePayrollSettlement | typeof proposePortalPayrollSettlement>,
    ) {
      const proposal = await writes.runWithoutClock(call, (write, session) =>
        proposeSettlement(write, session, { ...call.body, scope: call.scope }),
      );
      return proposed(parts, call, proposal);
    },
    async proposeSettings(call: CallOf<typeof proposePayrollSettings | typeof proposePortalPayrollSettings>) {
      await checkTenant(parts, call);
      checkSettings(call.body);
      const proposal = await writes.runWithoutClock(call, (write, session) =>
        proposeSettings(write, session, { tenantId: call.parameters.id, wanted: call.body }),
      );
      return proposed(parts, call, proposal);
    },
    async listProposals(call: CallOf<typeof listPayrollProposals | typeof listPortalPayrollProposals>) {
      await checkTenant(parts, call);
      const wanted = { tenantId: call.parameters.id, ...call.query };
      return ok(JSON.stringify({ items: await readProposals(reads, call.scope, wanted) }));
    },
    async decideProposal(call: CallOf<typeof decidePayrollProposal | typeof decidePortalPayrollProposal>) {
      const { scope, parameters, body } = call;
      const tenantId = await findTenantOfProposal(reads, scope, parameters.id);
      if (tenantId === null) return notFound('payroll_proposal', call);
      const decided = await writes.runWithoutClock(call, (write, session) =>
        decideProposal(write, session, { scope, id: parameters.id, tenantId, ...body }),
      );
      return ok(JSON.stringify(decided));
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

/** Proposals are read in the list of their tenant. */
function proposed(
  { addressOf }: Pick<Parts, 'addressOf'>,
  { dryRun, scope }: Pick<ResourceCall, 'dryRun' | 'scope'>,
  proposal: PayrollProposal,
): AnswerOf<typeof proposePayrollSettings> {
  if (dryRun) return ok(JSON.stringify({ ...proposal, id: dryRunId }));
  const Location = addressOf('tenants')(scope.organizationId, `${proposal.tenant}/payroll-proposals`);
  return { status: 201, body: JSON.stringify(proposal), headers: { Location } };
}
