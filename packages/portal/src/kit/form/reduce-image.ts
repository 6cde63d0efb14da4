/** Longest side in pixels and quality, the best first: a licence plate stays readable. */
const attempts = [
  [2560, 0.85],
  [1600, 0.8],
] as const;

/** A JPEG of a photo that fits into `maxSize` bytes; null where the browser cannot read or reduce it. Place and time of the photo are lost. */
export async function reduceImage(file: File, maxSize: number): Promise<File | null> {
  const image = await createImageBitmap(file).catch(() => null);
  if (image === null) return null;
  for (const [side, quality] of attempts) {
    const bytes = await jpegOf(image, Math.min(1, side / Math.max(image.width, image.height)), quality);
    if (bytes === null || bytes.size > maxSize) continue;
    return new File([bytes], `${file.name.replace(/\.[^.]*$/, '')}.jpg`, { type: 'image/jpeg' });
  }
  return null;
}

function jpegOf(image: ImageBitmap, scale: number, quality: number): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(image.width * scale);
  canvas.height = Math.round(image.height * scale);
  const context = canvas.getContext('2d')!;
  // A JPEG has no transparency, which would become black.
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  const { promise, resolve } = Promise.withResolvers<Blob | null>();
  canvas.toBlob(resolve, 'image/jpeg', quality);
  return promise;
}
