import type { AuditAction, AuditEntry, AuditReason } from '@kontor/contract';

type Texts = Readonly<Record<'en' | 'de', string>>;
export type Sentence = Record<'en' | 'de', string>;

// cspell:disable
/** The deeds of actors. The target follows after a colon, so that it needs no case. A rejected one was only tried. */
const deeds: Readonly<Record<AuditAction, readonly [en: string, de: string]>> = {
  'audit.export': ['exported the audit log', 'hat das Audit-Protokoll exportiert'],
  'audit.keep': [
    'changed how long the audit log is kept',
    'hat die Aufbewahrung des Audit-Protokolls geändert',
  ],
  'audit.remove': ['deleted expired audit entries', 'hat abgelaufene Einträge des Audit-Protokolls gelöscht'],
  'division.create': ['created a division', 'hat eine Abteilung angelegt'],
  'division.repair': ['repaired a division', 'hat eine Abteilung repariert'],
  'division.update': ['changed a division', 'hat eine Abteilung geändert'],
  'employee.activate': ['activated an employee', 'hat einen Mitarbeiter aktiviert'],
  'employee.create': ['created an employee', 'hat einen Mitarbeiter angelegt'],
  'employee.erase': [
    'erased the personal data of an employee',
    'hat die personenbezogenen Daten eines Mitarbeiters gelöscht',
  ],
  'employee.export': [
    'exported the personal data of an employee',
    'hat die personenbezogenen Daten eines Mitarbeiters exportiert',
  ],
  'employee.export_list': ['exported a list of employees', 'hat eine Liste von Mitarbeitern exportiert'],
  'employee.repair': ['repaired the record of an employee', 'hat den Datensatz eines Mitarbeiters repariert'],
  'employee.update': ['changed an employee', 'hat einen Mitarbeiter geändert'],
  'employee_import.answer': [
    'answered questions of a CSV import',
    'hat Fragen eines CSV-Imports beantwortet',
  ],
  'employee_import.apply': ['started a CSV import', 'hat einen CSV-Import gestartet'],
  'employee_import.create': [
    'uploaded a CSV file of employees',
    'hat eine CSV-Datei mit Mitarbeitern hochgeladen',
  ],
  'employee_import.discard': ['discarded a CSV import', 'hat einen CSV-Import verworfen'],
  'employee_import.export': [
    'downloaded the report of a CSV import',
    'hat den Bericht eines CSV-Imports heruntergeladen',
  ],
  'employee_import.plan': ['had a CSV file checked', 'hat eine CSV-Datei prüfen lassen'],
  'employee_import.remove': ['deleted an old CSV import', 'hat einen alten CSV-Import gelöscht'],
  'incident.attach': ['uploaded evidence of an incident', 'hat einen Nachweis zu einem Störfall hochgeladen'],
  'incident.cancel': ['withdrew an incident', 'hat einen Störfall zurückgezogen'],
  'incident.create': ['reported an incident', 'hat einen Störfall gemeldet'],
  'incident.detach': ['removed evidence of an incident', 'hat einen Nachweis eines Störfalls entfernt'],
  'incident.erase': [
    'erased the personal data of an incident',
    'hat die personenbezogenen Daten eines Störfalls gelöscht',
  ],
  'incident.export_list': ['exported a list of incidents', 'hat eine Liste von Störfällen exportiert'],
  'incident.record_leave': [
    'recorded the end, the payer or the bike of a leave',
    'hat Ende, Zahler oder Rad einer Abwesenheit erfasst',
  ],
  'incident.reject': ['rejected an incident', 'hat einen Störfall abgelehnt'],
  'incident.repair': ['repaired the record of an incident', 'hat den Datensatz eines Störfalls repariert'],
  'incident.resolve': ['resolved an incident', 'hat einen Störfall erledigt'],
  'incident.start': ['started work on an incident', 'hat die Bearbeitung eines Störfalls begonnen'],
  'incident.update': ['changed an incident', 'hat einen Störfall geändert'],
  'key.create': ['created an API key', 'hat einen API-Schlüssel erstellt'],
  'key.deactivate': ['deactivated an API key', 'hat einen API-Schlüssel deaktiviert'],
  'key.delete': ['deleted an API key', 'hat einen API-Schlüssel gelöscht'],
  'key.expire': ['changed when an API key expires', 'hat das Ablaufdatum eines API-Schlüssels geändert'],
  'key.export': ['exported the list of API keys', 'hat die Liste der API-Schlüssel exportiert'],
  'key.failing': [
    'reported that an API key is failing',
    'hat gemeldet, dass ein API-Schlüssel nur noch Fehler erhält',
  ],
  'key.no_recent_activity': [
    'reported that an API key has no recent activity',
    'hat gemeldet, dass ein API-Schlüssel keine Aktivität hat',
  ],
  'key.reactivate': ['reactivated an API key', 'hat einen API-Schlüssel reaktiviert'],
  'key.remind': ['reminded that an API key expires', 'hat an den Ablauf eines API-Schlüssels erinnert'],
  'key.update': [
    'changed the expected interval of an API key',
    'hat das erwartete Intervall eines API-Schlüssels geändert',
  ],
  'key.use': ['used an API key', 'hat einen API-Schlüssel verwendet'],
  'openid.confirm': [
    'confirmed the identity with the sign-in provider',
    'hat die Identität beim Anmeldedienst bestätigt',
  ],
  'openid.link': ['linked an account of the sign-in provider', 'hat ein Konto des Anmeldedienstes verknüpft'],
  'openid.sign_in': ['signed in with the sign-in provider', 'hat sich über den Anmeldedienst angemeldet'],
  'openid.unlink': [
    'unlinked an account of the sign-in provider',
    'hat die Verknüpfung mit dem Anmeldedienst entfernt',
  ],
  'operation.call': ['sent a request without permission', 'hat eine Anfrage ohne Berechtigung gesendet'],
  'order.apply_version': [
    'put changed contract amounts in force',
    'hat geänderte Vertragsbeträge in Kraft gesetzt',
  ],
  'order.attach': ['uploaded a document of an order', 'hat ein Dokument zu einer Bestellung hochgeladen'],
  'order.cancel': ['cancelled an order', 'hat eine Bestellung storniert'],
  'order.change_contract': [
    'changed the contract amounts of an order',
    'hat die Vertragsbeträge einer Bestellung geändert',
  ],
  'order.complete': ['ended an order', 'hat eine Bestellung beendet'],
  'order.create': ['submitted an order', 'hat eine Bestellung übermittelt'],
  'order.decide': ['decided on an order', 'hat über eine Bestellung entschieden'],
  'order.end_contract': ['recorded an early end of a contract', 'hat ein vorzeitiges Vertragsende erfasst'],
  'order.erase': [
    'erased the personal data of an order',
    'hat die personenbezogenen Daten einer Bestellung gelöscht',
  ],
  'order.expire': [
    'let an order expire without a decision',
    'hat eine Bestellung ohne Entscheidung ablaufen lassen',
  ],
  'order.export_list': ['exported a list of orders', 'hat eine Liste von Bestellungen exportiert'],
  'order.hand_over': ['handed over an order', 'hat eine Bestellung übergeben'],
  'order.make_ready': ['made an order ready for pickup', 'hat eine Bestellung zur Abholung bereitgestellt'],
  'order.repair': ['repaired the record of an order', 'hat den Datensatz einer Bestellung repariert'],
  'order.settle_payroll': [
    'settled an amount of an order',
    'hat einen Betrag einer Bestellung anderweitig abgerechnet',
  ],
  'order.withdraw_end': [
    'withdrew an early end of a contract',
    'hat ein vorzeitiges Vertragsende zurückgezogen',
  ],
  'order.withdraw_version': [
    'withdrew a change of contract amounts',
    'hat eine Änderung von Vertragsbeträgen zurückgezogen',
  ],
  'organization.close': ['closed the organization', 'hat die Organisation geschlossen'],
  'organization.create': ['created the organization', 'hat die Organisation angelegt'],
  'organization.delete': ['deleted the organization', 'hat die Organisation gelöscht'],
  'organization.repair': ['repaired totals of the organization', 'hat Summen der Organisation repariert'],
  'organization.restore': ['opened the organization again', 'hat die Organisation wieder geöffnet'],
  'organization.select': [
    'asked for an organization without access',
    'hat eine Organisation ohne Zugriff angefragt',
  ],
  'organization.update': [
    'changed settings of the organization',
    'hat Einstellungen der Organisation geändert',
  ],
  'passkey.confirm': [
    'confirmed the identity with a passkey',
    'hat die Identität mit einem Passkey bestätigt',
  ],
  'passkey.create': ['registered a passkey', 'hat einen Passkey registriert'],
  'passkey.delete': ['removed a passkey', 'hat einen Passkey entfernt'],
  'passkey.sign_in': ['signed in with a passkey', 'hat sich mit einem Passkey angemeldet'],
  'passkey.update': ['renamed a passkey', 'hat einen Passkey umbenannt'],
  'payroll_export_document.create': ['created a payroll file', 'hat eine Lohn-Exportdatei erstellt'],
  'payroll_export_document.repair': [
    'repaired the record of a payroll file',
    'hat den Datensatz einer Lohn-Exportdatei repariert',
  ],
  'payroll_proposal.confirm': [
    'confirmed a proposal of payroll',
    'hat einen Vorschlag zur Abrechnung bestätigt',
  ],
  'payroll_proposal.create': ['made a proposal of payroll', 'hat einen Vorschlag zur Abrechnung gemacht'],
  'payroll_proposal.reject': [
    'rejected a proposal of payroll',
    'hat einen Vorschlag zur Abrechnung abgelehnt',
  ],
  'payroll_run.acknowledge': [
    'answered a question of a payroll run',
    'hat eine Frage eines Abrechnungslaufs beantwortet',
  ],
  'payroll_run.create': ['had a payroll run checked', 'hat einen Abrechnungslauf prüfen lassen'],
  'payroll_run.discard': ['discarded a payroll run', 'hat einen Abrechnungslauf verworfen'],
  'payroll_run.export': [
    'exported the amounts of a payroll run',
    'hat die Beträge eines Abrechnungslaufs exportiert',
  ],
  'payroll_run.release': ['released a payroll run', 'hat einen Abrechnungslauf freigegeben'],
  'platform_token.create': ['created a platform token', 'hat einen Plattform-Token erstellt'],
  'platform_token.revoke': ['revoked a platform token', 'hat einen Plattform-Token widerrufen'],
  'platform_token.use': ['used a platform token', 'hat einen Plattform-Token verwendet'],
  'session.confirm': ['confirmed the identity', 'hat die Identität bestätigt'],
  'session.end': ['ended a session', 'hat eine Sitzung beendet'],
  'session.start': ['signed in', 'hat sich angemeldet'],
  'tenant.create': ['created a company', 'hat ein Unternehmen angelegt'],
  'tenant.export_list': ['exported the list of companies', 'hat die Liste der Unternehmen exportiert'],
  'tenant.export_payroll_receivables': [
    'exported the open payroll amounts of a company',
    'hat die offenen Beträge der Abrechnung eines Unternehmens exportiert',
  ],
  'tenant.remove_decision_rule': [
    'deactivated the approval rule of a company',
    'hat die Genehmigungsregel eines Unternehmens deaktiviert',
  ],
  'tenant.retention': [
    'changed the retention of a company',
    'hat die Aufbewahrung eines Unternehmens geändert',
  ],
  'tenant.select': ['asked for a company without access', 'hat ein Unternehmen ohne Zugriff angefragt'],
  'tenant.set_decision_rule': [
    'changed the approval rule of a company',
    'hat die Genehmigungsregel eines Unternehmens geändert',
  ],
  'tenant.set_payroll_settings': [
    'changed the payroll settings of a company',
    'hat die Lohneinstellungen eines Unternehmens geändert',
  ],
  'tenant.update': ['changed a company', 'hat ein Unternehmen geändert'],
  'user.accept_invitation': ['used an invitation link', 'hat einen Einladungslink verwendet'],
  'user.create': ['created a user', 'hat einen Benutzer angelegt'],
  'user.deactivate': ['deactivated a user', 'hat einen Benutzer deaktiviert'],
  'user.delete': ['deleted a user', 'hat einen Benutzer gelöscht'],
  'user.export': ['exported the list of users', 'hat die Liste der Benutzer exportiert'],
  'user.forget_password': [
    'requested a link for a new password',
    'hat einen Link für ein neues Passwort angefordert',
  ],
  'user.invite': ['invited a user', 'hat einen Benutzer eingeladen'],
  'user.mail_failed': [
    'could not deliver a mail to a user',
    'konnte eine E-Mail an einen Benutzer nicht zustellen',
  ],
  'user.password': ['changed a password', 'hat ein Passwort geändert'],
  'user.reactivate': ['reactivated a user', 'hat einen Benutzer reaktiviert'],
  'user.set_notifications': ['chose notifications', 'hat Benachrichtigungen gewählt'],
  'user.sign_in': ['tried to sign in', 'hat versucht, sich anzumelden'],
  'user.sign_out': ['ended the sessions of a user', 'hat die Sitzungen eines Benutzers beendet'],
  'user.test_mail': [
    'requested a test message to a user',
    'hat eine Testnachricht an einen Benutzer angefordert',
  ],
  'user.update': ['changed a user', 'hat einen Benutzer geändert'],
};

const reasons: Readonly<Record<AuditReason, Texts>> = {
  wrong_secret: { en: 'wrong secret', de: 'Schlüssel oder Passwort falsch' },
  deactivated: { en: 'deactivated', de: 'deaktiviert' },
  expired: { en: 'expired', de: 'abgelaufen' },
  deleted: { en: 'deleted', de: 'gelöscht' },
  revoked: { en: 'revoked', de: 'widerrufen' },
  tenant_not_in_scope: { en: 'company without access', de: 'Unternehmen ohne Zugriff' },
  organization_not_in_scope: { en: 'organization without access', de: 'Organisation ohne Zugriff' },
  permission_missing: { en: 'permission missing', de: 'Berechtigung fehlt' },
  stale_draft: { en: 'draft out of date', de: 'Entwurf veraltet' },
  file_not_stored: { en: 'file not stored', de: 'Datei nicht gespeichert' },
  internal_error: { en: 'internal error', de: 'interner Fehler' },
};

/** Actions of earlier versions. */
const unknown: readonly [en: string, de: string] = ['did something', 'hat etwas getan'];

/** Names of actors that begin with their kind. A user has the name alone. */
const actors: Readonly<Partial<Record<AuditEntry['actorType'], (name: string) => Texts>>> = {
  api_key: name => ({ en: `API key ${name}`, de: `API-Schlüssel ${name}` }),
  platform_token: name => ({ en: `Platform token ${name}`, de: `Plattform-Token ${name}` }),
  operator: () => ({ en: 'The operator', de: 'Der Betreiber' }),
  system: () => ({ en: 'Kontor', de: 'Kontor' }),
  anonymous: () => ({ en: 'Somebody', de: 'Jemand' }),
};

type Described = Pick<AuditEntry, 'actorType' | 'actorName' | 'action' | 'outcome' | 'reason'>;

/** Says who did what, in both languages. */
export function describeEntry({ actorType, actorName, action, outcome, reason }: Described): Sentence {
  const [en, de] = (deeds as Partial<Record<string, readonly [string, string]>>)[action] ?? unknown;
  const who = actors[actorType]?.(actorName) ?? { en: actorName, de: actorName };
  const why = outcome === 'rejected' && reason ? reasons[reason] : null;
  const end = {
    en: why === null ? '' : ` (rejected: ${why.en})`,
    de: why === null ? '' : ` (abgelehnt: ${why.de})`,
  };
  return { en: `${who.en} ${en}${end.en}`, de: `${who.de} ${de}${end.de}` };
}
// cspell:enable
