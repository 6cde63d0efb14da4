import { markBound } from '@kontor/contract';
import { invisibleCharacters } from '../lib/names.ts';

/** Most characters of a file name. */
const lengthMaximum = 255;

/** Longest ending, with its dot, that a shortened name keeps. */
const endingMaximum = 16;

const surplusMarks = new RegExp(`(\\p{M}{${markBound}})\\p{M}+`, 'gu');

/**
 * A file name as it is kept: without folders, control characters and characters that turn the direction of writing, in
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
  return /^\.*$/.test(name) ? 'file' : shortened(name);
}

/** The beginning of the name, and its ending if that is short. */
function shortened(name: string): string {
  const characters = [...name];
  if (characters.length <= lengthMaximum) return name;
  const dot = characters.lastIndexOf('.');
  const ending = dot > 0 && characters.length - dot <= endingMaximum ? characters.slice(dot) : [];
  return [...characters.slice(0, lengthMaximum - ending.length), ...ending].join('');
}
