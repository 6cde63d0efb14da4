import { reportDays } from '../features/employees/portal-import/imports.ts';
import type { Language } from './index-words.ts';
import type { SubjectContext } from './subject-context.ts';

/** A kind of data: what it is for, how long it is kept, and who receives it. */
type Purpose = readonly [data: string, purpose: string, kept: string, recipients: string];

export interface Texts {
  readonly title: string;
  readonly other: string;
  readonly intro: (company: string | null) => string;
  readonly made: (at: string) => string;
  readonly contents: string;
  readonly sections: Readonly<Record<SectionName, string>>;
  readonly none: string;
  readonly identifiers: string;
  readonly missing: string;
  readonly damaged: string;
  readonly heads: Readonly<
    Record<
      'payroll' | 'answers' | 'proposals' | 'history' | 'imports' | 'audit' | 'purposes',
      readonly string[]
    >
  >;
  readonly order: (number: string) => string;
  readonly incident: (number: string) => string;
  readonly masterData: string;
  readonly leads: Readonly<Partial<Record<SectionName, string>>>;
  readonly purposes: (context: SubjectContext) => readonly Purpose[];
  readonly rights: readonly string[];
  readonly machines: string;
  readonly absent: string;
}

export type SectionName =
  | 'purposes'
  | 'employee'
  | 'orders'
  | 'incidents'
  | 'payroll'
  | 'answers'
  | 'proposals'
  | 'files'
  | 'history'
  | 'imports'
  | 'audit'
  | 'rights'
  | 'absent';

/** The texts of the page, with the facts that Art. 15 (1) and (2) GDPR name. */
export const texts: Readonly<Record<Language, Texts>> = {
  de: {
    title: 'Auskunft über Ihre gespeicherten Daten',
    other: 'In English',
    intro: company =>
      `Diese Auskunft nach Artikel 15 DSGVO zeigt alles, was Kontor über Sie speichert. Mit Kontor verwaltet Ihr Arbeitgeber Diensträder: Bestellungen, Leasingverträge, Störfälle und die Entgeltumwandlung. Verantwortlich für Ihre Daten ist ${company ?? 'Ihr Arbeitgeber'}.`,
    made: at => `Erstellt am ${at}. Alle Zeiten sind deutsche Zeit.`,
    contents: 'Inhalt',
    sections: {
      purposes: 'Wozu, wie lange, für wen',
      employee: 'Ihre Stammdaten',
      orders: 'Ihre Bestellungen',
      incidents: 'Ihre Störfälle',
      payroll: 'Beträge in der Lohnabrechnung',
      answers: 'Rückfragen vor der Lohnabrechnung',
      proposals: 'Vorschläge, Beträge anderweitig abzurechnen',
      files: 'Dateien',
      history: 'Änderungen Ihrer Stammdaten',
      imports: 'Zeilen über Sie in hochgeladenen Listen',
      audit: 'Was mit Ihren Daten geschah',
      rights: 'Ihre Rechte',
      absent: 'Was hier nicht steht',
    },
    none: 'Nichts gespeichert.',
    identifiers: 'Technische Kennungen',
    missing: 'nicht mehr vorhanden',
    damaged: 'nicht mehr so, wie sie gespeichert wurde',
    heads: {
      payroll: ['Monat', 'Art', 'Betrag', 'Vertrag', 'Personalnummer', 'Lohnart', 'Übergeben am', 'Grund'],
      answers: ['Wann', 'Frage', 'Antwort'],
      proposals: ['Wann', 'Stand', 'Monat', 'Betrag', 'Grund'],
      history: ['Wann', 'Wer', 'Was', 'Vorher', 'Nachher'],
      imports: ['Wann', 'Name', 'Was', 'Vorher', 'Nachher', 'Abgelehnter Wert'],
      audit: ['Wann', 'Was', 'Wer', 'Wovon', 'Felder'],
      purposes: ['Daten', 'Wozu', 'Wie lange', 'Wer sie erhält'],
    },
    order: number => `Bestellung ${number}`,
    incident: number => `Störfall ${number}`,
    masterData: 'Stammdaten',
    leads: {
      incidents:
        'Ein Störfall ist, was einen laufenden Vertrag stört: etwa Diebstahl, Schaden, Elternzeit oder Kündigung.',
      history: 'Die Werte vor und nach jeder Änderung, solange sie aufbewahrt werden.',
      imports: `Ihr Arbeitgeber lädt Listen von Beschäftigten hoch. Was sie ändern, bleibt höchstens ${reportDays} Tage gespeichert.`,
      audit: 'Das Protokoll enthält die Namen der geänderten Felder, nicht ihren Inhalt.',
    },
    purposes({ voucherYears, otherDays, historyDays, auditDays }) {
      const vouchers = `bis zum Ende des ${voucherYears}. Jahres nach dem Jahr`;
      const then = 'Danach kann Ihr Arbeitgeber sie löschen.';
      return [
        [
          'Stammdaten',
          'Ihre Bestellungen und Beträge Ihnen zuordnen',
          'Bis Ihr Arbeitgeber sie löscht, frühestens nach den Fristen der Verträge und Beträge',
          'Personalabteilung; Systeme, die Ihr Arbeitgeber angeschlossen hat',
        ],
        [
          'Bestellungen, Verträge und ihre Dateien',
          'Über Bestellungen entscheiden, Diensträder leasen',
          `Verträge ${vouchers}, in dem der Vertrag endete (§ 41 Abs. 1 EStG). Danach, und andere Bestellungen, bis Ihr Arbeitgeber sie löscht${otherDays === 0 ? '' : `, diese mindestens ${otherDays} Tage nach der letzten Änderung`}.`,
          'Personalabteilung; Systeme, die Ihr Arbeitgeber angeschlossen hat; die Leasing-Plattform, über die Sie bestellt haben',
        ],
        [
          'Störfälle und ihre Dateien',
          'Schäden, Diebstähle, Abwesenheiten und das Ende von Verträgen abwickeln',
          otherDays === 0
            ? 'Bis Ihr Arbeitgeber sie löscht'
            : `Mindestens ${otherDays} Tage nach der letzten Änderung. ${then}`,
          'Personalabteilung; Systeme, die Ihr Arbeitgeber angeschlossen hat; die Leasing-Plattform',
        ],
        [
          'Beträge und Rückfragen der Lohnabrechnung',
          'Entgeltumwandlung und geldwerten Vorteil abrechnen',
          `Beträge ${vouchers} des letzten Betrags (§ 41 Abs. 1 EStG). ${then}`,
          'Lohnabrechnung Ihres Arbeitgebers oder sein Lohnbüro, als Lohn-Exportdatei',
        ],
        [
          'Änderungen Ihrer Stammdaten',
          'Nachvollziehen, wer was geändert hat',
          historyDays === null ? 'Bis zur Löschung Ihrer Daten' : `${historyDays.toLocaleString('de')} Tage`,
          'Personalabteilung',
        ],
        [
          'Hochgeladene Listen',
          'Stammdaten vieler Beschäftigter auf einmal pflegen',
          `Höchstens ${reportDays} Tage`,
          'Personalabteilung',
        ],
        [
          'Protokoll',
          'Nachweisen, wer auf Daten zugriff und sie änderte',
          auditDays === null ? 'Ohne Frist, auch nach der Löschung, dann ohne Inhalte' : `${auditDays} Tage`,
          'Unternehmens-Administration Ihres Arbeitgebers',
        ],
      ];
    },
    rights: [
      'Sie können falsche Daten berichtigen lassen (Art. 16 DSGVO) und Daten löschen lassen, die nicht mehr aufbewahrt werden müssen (Art. 17).',
      'Sie können die Verarbeitung einschränken lassen (Art. 18) und ihr aus Gründen Ihrer besonderen Situation widersprechen (Art. 21).',
      'Sie können Ihre Daten mitnehmen: die Dateien mit der Endung .json sind dafür gedacht (Art. 20).',
      'Wenden Sie sich dafür an die Personalabteilung oder die Datenschutzbeauftragten Ihres Arbeitgebers. Sie können sich auch bei einer Datenschutz-Aufsichtsbehörde beschweren (Art. 77).',
      'Ihre Daten stammen von Ihrem Arbeitgeber und, bei Bestellungen und Verträgen, von der Leasing-Plattform.',
      'Ihr Arbeitgeber kann eine Regel festlegen, nach der Bestellungen automatisch entschieden werden. Bei jeder Bestellung steht, wodurch entschieden wurde. Profile über Sie werden nicht gebildet.',
      'Ob Daten in Länder außerhalb der EU gelangen, sagt Ihnen Ihr Arbeitgeber.',
    ],
    machines: 'Dieselben Daten für Programme:',
    absent:
      'Lohn-Exportdateien enthalten Zeilen über viele Personen und stehen deshalb nicht hier; Ihre Beträge stehen oben. Sicherungskopien enthalten ältere Stände derselben Daten.',
  },
  en: {
    title: 'What is stored about you',
    other: 'Auf Deutsch',
    intro: company =>
      `This copy under Article 15 GDPR shows all that Kontor stores about you. Your employer manages company bikes with Kontor: orders, leasing contracts, incidents and salary conversion. ${company ?? 'Your employer'} is responsible for your data.`,
    made: at => `Made on ${at}. All times are German time.`,
    contents: 'Contents',
    sections: {
      purposes: 'What for, how long, for whom',
      employee: 'Your master data',
      orders: 'Your orders',
      incidents: 'Your incidents',
      payroll: 'Amounts in payroll',
      answers: 'Questions before a month of payroll was released',
      proposals: 'Proposals to settle amounts elsewhere',
      files: 'Files',
      history: 'Changes of your master data',
      imports: 'Rows about you in uploaded lists',
      audit: 'What was done with your data',
      rights: 'Your rights',
      absent: 'What is not here',
    },
    none: 'Nothing is stored.',
    identifiers: 'Technical identifiers',
    missing: 'it is no longer there',
    damaged: 'it is not as it was stored',
    heads: {
      payroll: [
        'Month',
        'Kind',
        'Amount',
        'Contract',
        'Personnel number',
        'Wage type',
        'Passed on',
        'Reason',
      ],
      answers: ['When', 'Question', 'Answer'],
      proposals: ['When', 'State', 'Month', 'Amount', 'Reason'],
      history: ['When', 'Who', 'What', 'Before', 'After'],
      imports: ['When', 'Name', 'What', 'Before', 'After', 'Rejected value'],
      audit: ['When', 'What', 'Who', 'Of what', 'Fields'],
      purposes: ['Data', 'What for', 'How long', 'Who receives them'],
    },
    order: number => `Order ${number}`,
    incident: number => `Incident ${number}`,
    masterData: 'Master data',
    leads: {
      incidents:
        'An incident disturbs a running contract, for example theft, damage, parental leave or termination.',
      history: 'The values before and after each change, while they are kept.',
      imports: `Your employer uploads lists of employees. What they change is kept for ${reportDays} days at most.`,
      audit: 'The log contains the names of changed fields, not their content.',
    },
    purposes({ voucherYears, otherDays, historyDays, auditDays }) {
      const vouchers = `until the end of year ${voucherYears} after the year`;
      const then = 'After that your employer can erase them.';
      return [
        [
          'Master data',
          'To know which orders and amounts are yours',
          'Until your employer erases them, not before the periods of contracts and amounts',
          'HR; systems that your employer has connected',
        ],
        [
          'Orders, contracts and their files',
          'To decide on orders and lease company bikes',
          `Contracts ${vouchers} in which they ended (§ 41 (1) EStG). After that, and other orders, until your employer erases them${otherDays === 0 ? '' : `, these at least ${otherDays} days after their last change`}.`,
          'HR; systems that your employer has connected; the leasing platform that you ordered from',
        ],
        [
          'Incidents and their files',
          'To handle damage, theft, leaves and the end of contracts',
          otherDays === 0
            ? 'Until your employer erases them'
            : `At least ${otherDays} days after their last change. ${then}`,
          'HR; systems that your employer has connected; the leasing platform',
        ],
        [
          'Amounts and questions of payroll',
          'To account for salary conversion and taxable benefit',
          `Amounts ${vouchers} of the last one (§ 41 (1) EStG). ${then}`,
          'Payroll of your employer or its payroll office, as a payroll file',
        ],
        [
          'Changes of your master data',
          'To know who changed what',
          historyDays === null ? 'Until your data are erased' : `${historyDays.toLocaleString('en')} days`,
          'HR',
        ],
        [
          'Uploaded lists',
          'To maintain the master data of many employees at once',
          `${reportDays} days at most`,
          'HR',
        ],
        [
          'Log',
          'To prove who accessed and changed data',
          auditDays === null
            ? 'Without a limit, also after the erasure, then without content'
            : `${auditDays} days`,
          'Company admins of your employer',
        ],
      ];
    },
    rights: [
      'You can have wrong data corrected (Art. 16 GDPR), and data erased that need not be kept any longer (Art. 17).',
      'You can have the processing restricted (Art. 18), and object to it on grounds of your particular situation (Art. 21).',
      'You can take your data with you: the files that end in .json are meant for that (Art. 20).',
      'Ask HR or the data protection officer of your employer. You can also complain to a data protection authority (Art. 77).',
      'Your data come from your employer and, for orders and contracts, from the leasing platform.',
      'Your employer can set a rule that decides on orders automatically. Each order says how it was decided. No profiles are made of you.',
      'Your employer tells you whether data reach countries outside of the EU.',
    ],
    machines: 'The same data for programs:',
    absent:
      'Payroll files have lines about many people, so they are not in this copy; your amounts are above. Backups have older states of the same data.',
  },
};
