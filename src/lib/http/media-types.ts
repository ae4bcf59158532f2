/** Media types of files in texts, by the extension of their names. The first extension of a type names downloads. */
const TYPES_BY_EXTENSION: ReadonlyMap<string, string> = new Map(
  Object.entries({
    jpg: 'image/jpeg',
    jpeg: 'image/jpeg',
    png: 'image/png',
    gif: 'image/gif',
    webp: 'image/webp',
    heic: 'image/heic',
    heif: 'image/heif',
    bmp: 'image/bmp',
    tif: 'image/tiff',
    mp4: 'video/mp4',
    '3gp': 'video/3gpp',
    '3g2': 'video/3gpp2',
    mov: 'video/quicktime',
    webm: 'video/webm',
    mp3: 'audio/mpeg',
    wav: 'audio/wav',
    amr: 'audio/amr',
    m4a: 'audio/mp4',
    ogg: 'audio/ogg',
    pdf: 'application/pdf',
    vcf: 'text/vcard',
  }),
);

/** Other names of the types above. */
const ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'image/jpg': 'image/jpeg',
    'image/pjpeg': 'image/jpeg',
    'audio/mp3': 'audio/mpeg',
    'audio/wave': 'audio/wav',
    'audio/x-wav': 'audio/wav',
    'audio/x-m4a': 'audio/mp4',
    'text/x-vcard': 'text/vcard',
    'text/directory': 'text/vcard',
  }),
);

const EXTENSIONS_BY_TYPE = new Map<string, string>();
for (const [extension, type] of TYPES_BY_EXTENSION) {
  if (!EXTENSIONS_BY_TYPE.has(type)) EXTENSIONS_BY_TYPE.set(type, extension);
}

/** A type and a subtype of RFC 9110, 8.3.1; each has at most 127 characters (RFC 6838, 4.2). */
const MEDIA_TYPE = /^[\w!#$&.+^-]{1,127}\/[\w!#$&.+^-]{1,127}$/;

/**
 * Returns the media type of a Content-Type in lower case, without parameters: types are compared without case (RFC
 * 9110, 8.3.1), and the parameters do not say what the file is. Null for a text that names no type.
 */
export function mediaTypeOf(contentType: string | null): string | null {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return MEDIA_TYPE.test(type) ? (ALIASES.get(type) ?? type) : null;
}

/** Returns the media type of a file by the extension of its name; null for an unknown extension. */
export function mediaTypeOfName(name: string): string | null {
  return TYPES_BY_EXTENSION.get(name.slice(name.lastIndexOf('.') + 1).toLowerCase()) ?? null;
}

/** Returns the extension of a download, without its dot. */
export function extensionOf(mediaType: string): string {
  return EXTENSIONS_BY_TYPE.get(mediaType) ?? 'bin';
}
