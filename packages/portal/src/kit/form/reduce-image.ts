/** Longest side in pixels and quality, the best first: print and licence plates stay readable. */
const attempts = [
  [3000, 0.8],
  [2000, 0.7],
] as const;

/** A JPEG of a photo that fits into `maxSize` bytes; null where the browser cannot read or reduce it. Place and time of the photo are lost. */
export async function reduceImage(file: File, maxSize: number): Promise<File | null> {
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
