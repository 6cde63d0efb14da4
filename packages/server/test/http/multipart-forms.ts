import fc from 'fast-check';

/** A part as it is sent; the content in latin1, a character a byte. */
export interface SentPart {
  readonly name: string;
  readonly fileName: string | null;
  readonly content: string;
}

/** How a part is written; without one it is as fetch writes it. */
interface Style {
  /** The header's name in the letters that are sent. */
  readonly header: string;
  /** Before each parameter: white space, or a folded line. */
  readonly space: string;
  readonly fileNameFirst: boolean;
  /** Whether a quotation mark goes behind a backslash, instead of percent-encoded. */
  readonly backslash: boolean;
  /** Other headers, each with its line break. */
  readonly before: string;
  readonly after: string;
}

/** A multipart body: its parts and how it is written. `preamble` and `epilogue` are around the delimiters. */
export interface Form {
  readonly boundary: string;
  readonly parts: readonly SentPart[];
  readonly styles: readonly Style[];
  readonly preamble: string;
  readonly epilogue: string;
}

const plainStyle: Style = {
  header: 'Content-Disposition',
  space: ' ',
  fileNameFirst: false,
  backslash: false,
  before: '',
  after: '',
};

/** The bytes of the form (RFC 2046 section 5.1.1). */
export function encode({ boundary, parts, styles, preamble, epilogue }: Form): Buffer {
  const chunks = parts.flatMap((part, index) => {
    const style = styles[index] ?? plainStyle;
    const head = `--${boundary}\r\n${style.before}${dispositionOf(part, style)}\r\n${style.after}\r\n`;
    return [Buffer.from(head), Buffer.from(part.content, 'latin1'), Buffer.from('\r\n')];
  });
  return Buffer.concat([Buffer.from(preamble), ...chunks, Buffer.from(`--${boundary}--${epilogue}`)]);
}

function dispositionOf({ name, fileName }: SentPart, style: Style): string {
  const quote = (text: string) => `"${text.replaceAll('"', style.backslash ? '\\"' : '%22')}"`;
  const parameters = [`name=${quote(name)}`];
  if (fileName !== null) parameters.push(`filename=${quote(fileName)}`);
  if (style.fileNameFirst) parameters.reverse();
  return [`${style.header}:${style.space}form-data`, ...parameters.map(text => style.space + text)].join(';');
}

const boundaryCharacters = "abAB09'()+_,-./:=?";

/** Boundaries of RFC 2046, without white space. */
export const boundaries = fc.string({
  unit: fc.constantFrom(...boundaryCharacters),
  minLength: 1,
  maxLength: 70,
});

/** Any bytes, among them much that is nearly a delimiter. */
export function contentsOf(boundary: string): fc.Arbitrary<Buffer> {
  const delimiter = `\r\n--${boundary}`;
  const chunks = fc.oneof(
    fc.uint8Array({ maxLength: 40 }).map(bytes => Buffer.from(bytes)),
    fc.nat(delimiter.length).map(length => Buffer.from(delimiter.slice(0, length))),
    fc.nat(delimiter.length).map(start => Buffer.from(delimiter.slice(start))),
    fc
      .constantFrom('\r', '\n', '\r\n', '--', '\r\n--', '\r\n\r\n', delimiter, `${delimiter}--`)
      .map(text => Buffer.from(text)),
  );
  return fc.array(chunks, { maxLength: 8 }).map(list => Buffer.concat(list));
}

/** Text that can be written in quotes without another meaning. */
const names = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom(...'"\\;=%\' ä'),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    ),
  })
  .filter(text => !/[\r\n]|\\"|\\$|%(22|0[ad])/i.test(text));

const contentsWithout = (boundary: string, absent: string) =>
  contentsOf(boundary)
    .map(bytes => bytes.toString('latin1'))
    .filter(content => !`\r\n${content}`.includes(absent));

const spaces = fc.constantFrom(' ', '', '\t', '\r\n ', ' \r\n\t ');
const headers = fc.constantFrom(
  '',
  'Content-Type: application/pdf\r\n',
  'X-Content-Disposition: form-data; name="other"\r\n',
  'content-type: text/plain;\r\n content-disposition: form-data; name="other"\r\n',
);
const styles: fc.Arbitrary<Style> = fc.record({
  header: fc.mixedCase(fc.constant('Content-Disposition')),
  space: spaces,
  fileNameFirst: fc.boolean(),
  backslash: fc.boolean(),
  before: headers,
  after: headers,
});

const partsMaximum = 4;

/** Well-formed bodies in all that RFC 2046 and RFC 7578 allow. */
export const forms: fc.Arbitrary<Form> = boundaries.chain(boundary => {
  const contents = contentsWithout(boundary, `\r\n--${boundary}`);
  const part = fc.record(
    { name: names, fileName: fc.option(names), content: contents },
    { noNullPrototype: true },
  );
  const preamble = contents.map(content => content.replaceAll(/[^ -~\r\n]/g, ''));
  return fc.record({
    boundary: fc.constant(boundary),
    parts: fc.array(part, { maxLength: partsMaximum }),
    styles: fc.array(styles, { minLength: partsMaximum, maxLength: partsMaximum }),
    preamble: preamble
      .map(text => (text === '' ? '' : `${text}\r\n`))
      .filter(text => !`\r\n${text}`.includes(`\r\n--${boundary}`)),
    epilogue: preamble.map(text => (text === '' ? '' : `\r\n${text}`)),
  });
});
