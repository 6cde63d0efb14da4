/** Words that names may not have, and the words to use instead. */
export interface ForbiddenWords {
  /** As words of a name in lower case: `fair line` matches `fairLine`, `FairLineOptions` and `fair_line`. */
  readonly words: readonly string[];
  readonly instead: string;
  /** Sequences in which a word has its ordinary meaning. */
  readonly except?: readonly string[];
  /** Where the words are forbidden; else anywhere in a name. */
  readonly at?: 'start' | 'whole name' | 'start of a function';
}

/** The glossary: terms of this house, and what PostgreSQL, Fastify, React, OWASP, Stripe or the GDPR call the same. */
export const glossary: readonly ForbiddenWords[] = [
  { words: ['turn', 'turns'], instead: 'write' },
  {
    words: ['exchange', 'exchanges', 'surroundings'],
    instead: 'request context',
    except: ['code exchange', 'exchange code'],
  },
  { words: ['clockwork', 'clockworks', 'by itself'], instead: 'scheduled job, background job' },
  { words: ['keyring'], instead: 'API key authenticator, its cache' },
  {
    words: ['fair line', 'hashing line', 'waiting line', 'in line', 'of line'],
    instead: 'queue, fair queue, concurrency limiter',
  },
  { words: ['slot', 'slots'], instead: 'concurrency limiter' },
  {
    words: ['shared run', 'shared runs', 'shared lookup', 'shared lookups'],
    instead: 'single flight, batch loader',
  },
  { words: ['walk', 'walks', 'walked', 'walking'], instead: 'keyset position, position cache' },
  { words: ['patience'], instead: 'timeout' },
  { words: ['within'], at: 'whole name', instead: 'withTimeout' },
  { words: ['piece', 'pieces'], instead: 'chunk' },
  { words: ['family', 'families'], instead: 'resource type', except: ['font family'] },
  {
    words: ['note', 'notes', 'noted', 'noting', 'tell', 'tells', 'told', 'say', 'says', 'said', 'saying'],
    instead: 'record, notify, report, log',
  },
  {
    words: ['refuse', 'refuses', 'refused', 'refusing', 'refusal', 'refusals'],
    instead: 'reject, deny, rejection',
  },
  { words: ['remember', 'remembers', 'remembered', 'remembering'], instead: 'cache' },
  { words: ['gather', 'gathers', 'gathered', 'gathering'], instead: 'buffer, collect' },
  {
    words: ['by turns', 'together', 'alone', 'beside'],
    instead: 'interleaved, batched, exclusive, alongside',
  },
  { words: ['broken off', 'break off', 'under way'], instead: 'aborted, in progress, in flight' },
  { words: ['room', 'rooms', 'way', 'ways'], instead: 'module, path, flow' },
  { words: ['manner', 'manners'], instead: 'mode' },
  {
    words: ['arrow', 'arrows'],
    instead: 'transition',
    except: [
      'arrow up',
      'arrow down',
      'arrow left',
      'arrow right',
      'arrow function',
      'arrow key',
      'arrow keys',
    ],
  },
  {
    words: ['silent', 'silence', 'silenced', 'rhythm', 'rhythms'],
    instead: 'noRecentActivity, overdue, expected interval',
  },
  { words: ['sight', 'sights', 'sees'], instead: 'scope preview, access' },
  { words: ['keeper', 'keepers'], instead: 'contact' },
  { words: ['ends'], instead: 'expires', except: ['ends with'] },
  { words: ['draw', 'draws', 'drawn', 'drawing', 'drawings', 'redraw'], instead: 'render, rendered' },
  {
    words: ['world', 'laboratory', 'trial', 'trials', 'truth', 'judge', 'judges', 'judged', 'workshop'],
    instead: 'fixture, harness, run, oracle, check, sandbox',
  },
  {
    words: ['look', 'looks', 'looked', 'looking'],
    instead: 'inspect',
    except: ['look up', 'look ahead', 'look behind'],
  },
  { words: ['people'], instead: 'data subject, data-subject request' },
  { words: ['dear', 'penance'], instead: 'expensive, throttled' },
  {
    words: ['nobody', 'whoever', 'somebody', 'whose'],
    instead: 'the caller, the client, a process, an anonymous client',
  },
  { words: ['most', 'least'], at: 'start', instead: 'max, min' },
  { words: ['division line', 'division lines', 'move lines'], instead: 'closure table' },
  { words: ['of all'], instead: 'list without filter' },
  {
    words: ['shown', 'taken', 'found', 'ended', 'turn of'],
    at: 'start of a function',
    instead: 'a verb, such as findDivision',
  },
];

/** Words that are wrong in prose, too: they have no other meaning. */
export const forbiddenProse: readonly string[] = [
  'clockwork',
  'keyring',
  'hashing line',
  'turn of a write',
  'silent key',
  'penance',
];
