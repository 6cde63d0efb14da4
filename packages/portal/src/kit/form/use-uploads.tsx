import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import { useFailureWords } from '../failure.tsx';
import { size } from '../numbers.ts';
import { useStay } from './use-action.ts';

export interface UploadOptions {
  /** Media types, and ends of names with a dot. The service decides by the content. */
  readonly accept: readonly string[];
  /** The message for other files. */
  readonly wrongType: string;
  /** In bytes. */
  readonly maxSize: number;
  /** Whether a single file is taken, which is no photo. Another one replaces one that cannot be uploaded. */
  readonly isSingle?: boolean;
  readonly upload: (file: File, progress: (sent: number) => void, signal: AbortSignal) => Promise<unknown>;
}

export interface Upload {
  readonly key: number;
  readonly file: File;
  /** The size of the photo before it was reduced; null: it was not. */
  readonly sizeBefore: number | null;
  /** An image as an address of the data; null for other files. */
  readonly preview: string | null;
  /** From 0 to 1. */
  readonly sent: number;
  /** Why it failed, or may not be sent at all; null: neither. */
  readonly problem: string | null;
  readonly isRetryable: boolean;
  readonly control: AbortController;
}

let uploads = 0;

/**
 * Uploads files one after another; Mantine's `Dropzone` only chooses them. Photos of phones are often too large, so they are reduced first: one at a time, since each takes tens of
 * megabytes of memory. An upload leaves the list when it is done.
 */
export function useUploads({ accept, wrongType, maxSize, isSingle, upload }: UploadOptions) {
  const { t } = useLingui();
  const failure = useFailureWords();
  const [files, setFiles] = useState<readonly Upload[]>([]);
  const [reduced, setReduced] = useState<readonly Upload[]>([]);
  const preparing = useRef(Promise.resolve<Upload | null>(null));
  const sending = useRef(Promise.resolve());
  const isSending = files.some(({ problem }) => problem === null);
  const change = (key: number, changed: Partial<Upload>) =>
    setFiles(before => before.map(one => (one.key === key ? { ...one, ...changed } : one)));
  const remove = (key: number) => setFiles(before => before.filter(one => one.key !== key));
  const problemOf = (file: File) => {
    if (!accept.some(one => one === file.type || file.name.toLowerCase().endsWith(one))) return wrongType;
    if (file.size > maxSize)
      return t`The file has ${size(file.size)}; at most ${size(maxSize)} are possible. Choose a smaller one.`;
    return file.size === 0 ? t`The file is empty.` : null;
  };
  /** The upload with a photo that fits and a preview; null: it is not sent. */
  const prepare = async (one: Upload, before: Promise<unknown>): Promise<Upload | null> => {
    await before;
    const { key, control } = one;
    if (control.signal.aborted) return null;
    const file = one.file.size > maxSize ? await reduceImage(one.file, maxSize) : one.file;
    if (file === null) {
      change(key, { problem: problemOf(one.file) });
      return null;
    }
    const preview = file.type.startsWith('image/') ? await dataUrl(file) : null;
    const sizeBefore = file === one.file ? one.sizeBefore : one.file.size;
    change(key, { file, sizeBefore, preview });
    return { ...one, file, sizeBefore };
  };
  const send = async (prepared: Promise<Upload | null>, before: Promise<void>) => {
    await before;
    const one = await prepared;
    if (one === null || one.control.signal.aborted) return;
    const { key, file, control } = one;
    try {
      await upload(file, sent => change(key, { sent }), control.signal);
      remove(key);
      if (one.sizeBefore !== null) setReduced(before => [...before, one]);
    } catch (error) {
      if (!control.signal.aborted) change(key, { problem: failure(error), isRetryable: true });
    }
  };
  const enqueue = (one: Upload) => {
    preparing.current = prepare(one, preparing.current);
    sending.current = send(preparing.current, sending.current);
  };
  const add = (chosen: readonly File[]) => {
    const added = chosen.map((file): Upload => ({
      key: ++uploads,
      file,
      sizeBefore: null,
      preview: null,
      sent: 0,
      problem: isLargePhoto(file, accept, maxSize) ? null : problemOf(file),
      isRetryable: false,
      control: new AbortController(),
    }));
    setFiles(before => [...(isSingle ? before.filter(({ problem }) => problem === null) : before), ...added]);
    for (const one of added) if (one.problem === null) enqueue(one);
  };
  const retry = (one: Upload) => {
    const again = { ...one, sent: 0, problem: null, control: new AbortController() };
    change(one.key, again);
    enqueue(again);
  };
  const cancel = ({ key, control }: Upload) => {
    control.abort();
    remove(key);
  };
  useStay(isSending);
  useAbortAtEnd(files);
  return { files, reduced, isSending, add, retry, cancel };
}

/** Whether a photo is too large, and may be reduced. */
function isLargePhoto(file: File, accept: readonly string[], maxSize: number): boolean {
  return file.size > maxSize && file.type.startsWith('image/') && accept.includes(file.type);
}

/** The policy of the page forbids `blob:` addresses of images. */
function dataUrl(file: File): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const reader = new FileReader();
  reader.addEventListener('load', () => resolve(reader.result as string));
  reader.addEventListener('error', () => resolve(null));
  reader.readAsDataURL(file);
  return promise;
}

/** Aborts the uploads when the form is unmounted. */
function useAbortAtEnd(files: readonly Upload[]): void {
  const last = useRef(files);
  useEffect(() => {
    last.current = files;
  }, [files]);
  useEffect(() => () => last.current.forEach(({ control }) => control.abort()), []);
}

/** Longest side in pixels and quality, the best first: print and licence plates stay readable. */
const attempts = [
  [3000, 0.8],
  [2000, 0.7],
] as const;

/** A JPEG of a photo that fits into `maxSize` bytes; null where the browser cannot read or reduce it. Place and time of the photo are lost. */
async function reduceImage(file: File, maxSize: number): Promise<File | null> {
  const image = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => null);
  if (image === null) return null;
  try {
    for (const [side, quality] of attempts) {
      const bytes = await jpegOf(image, Math.min(1, side / Math.max(image.width, image.height)), quality);
      if (bytes.size > maxSize) continue;
      return new File([bytes], `${file.name.replace(/\.[^.]*$/, '')}.jpg`, { type: 'image/jpeg' });
    }
    return null;
  } catch {
    return null;
  } finally {
    image.close();
  }
}

function jpegOf(image: ImageBitmap, scale: number, quality: number): Promise<Blob> {
  const canvas = new OffscreenCanvas(Math.round(image.width * scale), Math.round(image.height * scale));
  const context = canvas.getContext('2d')!;
  // A JPEG has no transparency, which would become black.
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob({ type: 'image/jpeg', quality });
}
