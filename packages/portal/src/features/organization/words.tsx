import type { MailName, PersonalLogName } from '@kontor/contract';
import { useLingui } from '@lingui/react/macro';

/** The words for the mails that the service sends, and to whom each goes. */
export function useMailWords(): Record<MailName, { name: string; to: string }> {
  const { t } = useLingui();
  const contacts = t`To users with the permission IT; without one, to company admins`;
  return {
    invitation: { name: t`Invitation`, to: t`To the invited user, with a link to choose a password` },
    password_reset: { name: t`New password`, to: t`To the user who has asked for it, with a link` },
    key_reminder: { name: t`API key expires`, to: contacts },
    key_failing: {
      name: t`API key failing`,
      to: t`At once to users with the permission IT, unless they have declined it, and to those who have chosen it`,
    },
    digest: {
      name: t`Summary of new work`,
      to: t`Once a day to users with the permission HR, unless they have declined it, and only with something new`,
    },
    key_no_recent_activity: { name: t`API key has no recent activity`, to: contacts },
  };
}

interface LogWords {
  readonly name: string;
  readonly what: string;
  readonly about: string;
  /** Until when it is kept, where that is no period. */
  readonly until?: string;
}

/** The words for what is stored about persons. The compiler requires them for each kind that the service declares. */
export function useLogWords(): Record<PersonalLogName, LogWords> {
  const { t } = useLingui();
  const employees = t`Employees`;
  const users = t`Users of the portal`;
  const programs = t`Programs`;
  const untilErased = t`Until the data of the person are erased`;
  return {
    employees: {
      name: t`Employee data`,
      what: t`Name, contact data, employee number, division, whether the account is activated or blocked`,
      about: employees,
      until: untilErased,
    },
    employee_history: {
      name: t`History of employee data`,
      what: t`Old and new value of each changed field, with time and user or API key`,
      about: t`Employees, and the users who changed their data`,
    },
    orders_and_incidents: {
      name: t`Orders and incidents`,
      what: t`Orders with contract, documents, decision, comment and the user who decided; incidents with kind, days, description and evidence`,
      about: t`Employees, and the users who decided`,
    },
    payroll: {
      name: t`Payroll`,
      what: t`Amounts by person and month with their basis; who checked, released, settled and downloaded, and when`,
      about: t`Employees, and the users who worked on payroll`,
    },
    imports: {
      name: t`CSV imports`,
      what: t`Uploaded file with its name, its rows with old and new values, who uploaded it and when`,
      about: t`Employees, and the users who imported`,
    },
    users: {
      name: t`User accounts`,
      what: t`Name, email, language, permissions, time of the last sign-in; which notifications they get, and until when they have read them; the password only as a hash`,
      about: users,
      until: t`Until the user is deleted`,
    },
    passkeys: {
      name: t`Passkeys`,
      what: t`Name and public key of the passkey, time of the last use. Fingerprint and face stay on the device`,
      about: users,
      until: t`Until the passkey is removed or the user deleted`,
    },
    sessions: {
      name: t`Sessions`,
      what: t`Begin, last use, IP address and browser. A session that is not used ends earlier; its entry is deleted then, or at the next sign-in`,
      about: users,
    },
    sign_in_attempts: {
      name: t`Failed sign-ins`,
      what: t`A count by email and network, which limits guessing. Failed sign-ins of known users are also in the audit log`,
      about: users,
    },
    mails: {
      name: t`Mails that wait to be sent`,
      what: t`Recipient and kind of the mail, until it is sent or its time is over. Its text is not stored`,
      about: users,
    },
    audit: {
      name: t`Audit log`,
      what: t`Who did what, when, from which IP address, and names of changed fields without their values; rejected requests and sign-ins`,
      about: users,
    },
    api_key_usage: {
      name: t`Use of API keys`,
      what: t`Numbers of requests and errors by key and day. A key belongs to a program, not to a person`,
      about: programs,
      until: t`As long as the key is stored`,
    },
    api_key_operations: {
      name: t`Use of API keys by operation`,
      what: t`Numbers of requests and errors by key, day and operation`,
      about: programs,
    },
    api_key_errors: {
      name: t`Errors of API keys`,
      what: t`Operation, error code and message, number, first and last time, and request IDs`,
      about: programs,
    },
    service_log: {
      name: t`Log of the service`,
      what: t`IP address and time of each request, without names. The operator of this installation keeps it`,
      about: t`Everyone who uses the service`,
      until: t`By the rules of the operator`,
    },
  };
}
