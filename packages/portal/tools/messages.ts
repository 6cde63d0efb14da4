import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { transformFileAsync, type TransformOptions } from '@babel/core';
import extractMessages from '@lingui/babel-plugin-extract-messages';
import macros from '@lingui/babel-plugin-lingui-macro';
import { makeConfig } from '@lingui/conf';
import { requestWords } from './requests.ts';

/** Folder of the portal's sources. */
export const sources: string = path.join(import.meta.dirname, '../src');

/** The German text of each message, by the English one. */
export const germanCatalog: string = path.join(sources, 'locales/de.json');

/** How Babel reads a source with macros of Lingui. */
export const reading = {
  babelrc: false,
  configFile: false,
  parserOpts: { plugins: ['typescript', 'jsx'] },
} satisfies TransformOptions;

/** The settings of Lingui, which is used without its command. */
const linguiConfig = makeConfig(
  {
    locales: ['en', 'de'],
    sourceLocale: 'en',
    runtimeConfigModule: { Trans: [path.join(sources, 'trans.tsx'), 'Trans'] },
  },
  { skipValidation: true },
);

/** The plugin of Babel for the macros. With `auto`, a build strips the texts of messages, and Vite's server shows new ones at once. */
export const macroPlugin = (descriptorFields: 'auto' | 'message') =>
  [macros, { linguiConfig, descriptorFields }] as const;

/** All messages of the sources and the contract, in English as they are written there, in the order of the alphabet. */
export async function messagesOfSources(): Promise<string[]> {
  const messages = new Set(requestWords);
  for (const file of await readdir(sources, { recursive: true }))
    if (file.endsWith('.tsx'))
      for (const message of await messagesOf(path.join(sources, file))) messages.add(message);
  return [...messages].sort();
}

async function messagesOf(file: string): Promise<string[]> {
  const messages: string[] = [];
  const onMessageExtracted = ({ message }: { message?: string }) => {
    if (message) messages.push(message);
  };
  await transformFileAsync(file, {
    ...reading,
    plugins: [[...macroPlugin('message')], [extractMessages, { onMessageExtracted, linguiConfig }]],
  });
  return messages;
}
