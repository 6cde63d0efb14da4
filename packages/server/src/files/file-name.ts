import { markBound } from '@kontor/contract';
import { invisibleCharacters } from '../lib/names.ts';

const maxLength = 255;

/** Max characters of the extension, with its dot, that a shortened name keeps. */
const maxEnding = 16;

const surplusMarks = new RegExp(`(\\p{M}{${markBound}})\\p{M}+`, 'gu');

/**
 * Removes folders, control characters and bidirectional marks from a file name, and normalizes it to NFC. The result has at most 30
 * combining marks in a row and 255 characters. An empty result becomes `file`.
 */
export function cleanFileName(sent: string): string {
  const name = sent
    .toWellFormed()
    .replaceAll(surplusMarks, '$1')
    .normalize('NFC')
    .replaceAll(invisibleCharacters, '')
    .replace(/^.*[/\\]/u, '')
    .trim();
  return /^\.*$/.test(name) ? 'file' : shorten(name);
}

/** Keeps the beginning of the name, and its extension if that is short. */
function shorten(name: string): string {
  const characters = [...name];
  if (characters.length <= maxLength) return name;
  const dot = characters.lastIndexOf('.');
  const ending = dot > 0 && characters.length - dot <= maxEnding ? characters.slice(dot) : [];
  return [...characters.slice(0, maxLength - ending.length), ...ending].join('');
}
