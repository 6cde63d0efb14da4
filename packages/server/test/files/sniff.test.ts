import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { sniffMediaType } from '../../src/files/sniff.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'kontor-sniff-'));
after(() => rmSync(folder, { recursive: true }));
const page = path.join(folder, 'page.html');
writeFileSync(page, '<p>Rechnung</p>');

/** Files of programs that people use. The file is the last argument. */
const made: [mediaType: string, file: string, program: string, args: (file: string) => string[]][] = [
  [
    'application/pdf',
    'printed.pdf',
    'chromium',
    file => [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      `--print-to-pdf=${file}`,
      pathToFileURL(page).href,
    ],
  ],
  [
    'image/png',
    'screenshot.png',
    'chromium',
    file => ['--headless', '--no-sandbox', '--disable-gpu', `--screenshot=${file}`, pathToFileURL(page).href],
  ],
  [
    'application/pdf',
    'distilled.pdf',
    'gs',
    file => ['-q', '-dNOPAUSE', '-dBATCH', '-sDEVICE=pdfwrite', `-sOutputFile=${file}`, '-c', 'showpage'],
  ],
  [
    'image/jpeg',
    'printed.jpg',
    'gs',
    file => ['-q', '-dNOPAUSE', '-dBATCH', '-sDEVICE=jpeg', '-r9', `-sOutputFile=${file}`, '-c', 'showpage'],
  ],
  ['image/jpeg', 'baseline.jpg', 'convert', file => ['xc:red', file]],
  ['image/jpeg', 'progressive.jpg', 'convert', file => ['xc:red', '-interlace', 'JPEG', file]],
  ['image/jpeg', 'cmyk.jpg', 'convert', file => ['xc:red', '-colorspace', 'CMYK', file]],
  ['image/png', 'indexed.png', 'convert', file => ['xc:red', `PNG8:${file}`]],
  ['image/png', 'deep.png', 'convert', file => ['xc:red', '-depth', '16', file]],
  [
    'image/webp',
    'lossless.webp',
    'cwebp',
    file => ['-quiet', '-lossless', path.join(folder, 'indexed.png'), '-o', file],
  ],
  ['image/webp', 'lossy.webp', 'cwebp', file => ['-quiet', path.join(folder, 'indexed.png'), '-o', file]],
  [
    'image/webp',
    'with-metadata.webp',
    'cwebp',
    file => ['-quiet', '-metadata', 'all', path.join(folder, 'baseline.jpg'), '-o', file],
  ],
];

describe('a file of a real program', () => {
  for (const [mediaType, name, program, args] of made) {
    const missing = spawnSync(program, ['--version']).error !== undefined && `there is no ${program}`;
    test(`${name} of ${program} is ${mediaType}`, { skip: missing }, () => {
      const file = path.join(folder, name);
      execFileSync(program, args(file), { stdio: 'ignore', env: { ...process.env, HOME: folder } });
      const bytes = readFileSync(file);
      assert.equal(sniffMediaType(bytes), mediaType);
      if (mediaType !== 'application/pdf') return;
      for (const [what, before] of Object.entries(beforeHeader))
        assert.equal(sniffMediaType(Buffer.concat([before, bytes])), mediaType, what);
    });
  }
});

/** Readers open files with these bytes before the header. */
const beforeHeader = {
  'a byte order mark': Buffer.from('\ufeff'),
  'a byte order mark of UTF-16': Buffer.from([0xff, 0xfe]),
  'empty lines': Buffer.from('\r\n\r\n'),
  'a line of a printer': Buffer.from('\x1b%-12345X@PJL ENTER LANGUAGE=PDF\n', 'latin1'),
  'the head of a mail': Buffer.from(
    'Content-Type: application/pdf\r\nContent-Transfer-Encoding: binary\r\n\r\n',
  ),
  zeros: Buffer.alloc(128),
  'as many bytes as readers accept': Buffer.alloc(1024, ' '),
};

describe('the header of a PDF', () => {
  const header = Buffer.from('%PDF-1.4\n');
  for (const [what, before] of Object.entries(beforeHeader))
    test(`may come after ${what}`, () =>
      assert.equal(sniffMediaType(Buffer.concat([before, header])), 'application/pdf'));

  test('is not looked for after 1,024 bytes', () =>
    assert.equal(sniffMediaType(Buffer.concat([Buffer.alloc(1025), header])), null));

  test('does not make a PDF of an image', () =>
    assert.equal(sniffMediaType(Buffer.from('\xff\xd8\xff\xe1 %PDF-1.4', 'latin1')), 'image/jpeg'));
});

describe('an image', () => {
  for (const marker of [0xdb, 0xe0, 0xe1, 0xe2, 0xee, 0xc0, 0xfe, 0xff])
    test(`is JPEG with the first marker ${marker.toString(16)}`, () =>
      assert.equal(sniffMediaType(Buffer.from([0xff, 0xd8, 0xff, marker])), 'image/jpeg'));

  for (const chunk of ['VP8 ', 'VP8L', 'VP8X'])
    for (const size of ['\0\0\0\0', '\x24\0\0\0', '\xff\xff\xff\xff'])
      test(`is WebP with ${chunk.trim()}, whatever size RIFF has (${size.charCodeAt(0)})`, () =>
        assert.equal(sniffMediaType(Buffer.from(`RIFF${size}WEBP${chunk}`, 'latin1')), 'image/webp'));

  for (const text of [
    'GIF89a',
    '\x89PNG\n',
    '\xff\xd8',
    'RIFF\0\0\0\0WAVE',
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'BM',
    '',
  ])
    test(`is not ${JSON.stringify(text)}`, () =>
      assert.equal(sniffMediaType(Buffer.from(text, 'latin1')), null));
});
