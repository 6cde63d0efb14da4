import { markBound } from '@kontor/contract';
import { invisibleCharacters } from '../lib/names.ts';

/** Max characters of a file name. */
const maxLength = 255;

/** Max characters of the ending, with its dot, that a shortened name keeps. */
const maxEnding = 16;

const surplusMarks = new RegExp(`(\\p{M}{${markBound}})\\p{M}+`, 'gu');

/**
 * Cleans a file name before it is stored: without folders, control characters and characters that change the direction of writing, in
 * NFC, with at most 30 combining marks in a row and 255 characters; `file` where nothing is left of it.
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

/** Keeps the beginning of the name, and its ending if that is short. */
function shorten(name: string): string {
  const characters = [...name];
  if (characters.length <= maxLength) return name;
  const dot = characters.lastIndexOf('.');
  const ending = dot > 0 && characters.length - dot <= maxEnding ? characters.slice(dot) : [];
  return [...characters.slice(0, maxLength - ending.length), ...ending].join('');
}
