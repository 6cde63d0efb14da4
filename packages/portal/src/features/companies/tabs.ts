/** The parts of the page of a company. All but the first are for company admins. */
export const companyTabs = ['divisions', 'payroll', 'approval', 'retention'] as const;
