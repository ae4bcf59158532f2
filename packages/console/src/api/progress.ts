import { texts } from '../texts/api.ts';
/**
 * Returns a `fetch` for one upload that reports how much of the body was sent, from 0 to 1. The browser's own fetch
 * does not report this.
 */
export function fetchWithProgress(onProgress: (share: number) => void): typeof globalThis.fetch {
  return (address, init = {}) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(init.method ?? 'GET', String(address));
      new Headers(init.headers).forEach((value, name) => {
        // A browser sets this header itself, and warns if a page sets it.
        if (name !== 'user-agent') request.setRequestHeader(name, value);
      });
      request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total);
      request.onload = () => resolve(responseOf(request));
      request.onerror = () => reject(new TypeError(texts.progress.failed));
      init.signal?.addEventListener('abort', () => {
        request.abort();
        reject(init.signal?.reason);
      });
      request.send(init.body as XMLHttpRequestBodyInit);
    });
}

function responseOf(request: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const line of request.getAllResponseHeaders().trim().split('\r\n')) {
    const [name = '', value = ''] = line.split(/: (.*)/s);
    if (name !== '') headers.append(name, value);
  }
  const body = request.status === 204 ? null : request.responseText;
  return new Response(body, { status: request.status, headers });
}
