export type Reply = {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape, and assert what they find
  body: any;
};

export type CallOptions = {
  /** Default: the account's test key; null sends no Authorization header. */
  key?: string | null;
  body?: unknown;
  headers?: Record<string, string>;
};

export type Caller = (method: string, path: string, options?: CallOptions) => Promise<Reply>;

/** Returns a function that sends requests with a key: `call('POST', '/v1/tenants', { body })`. */
export function createCaller(url: string, defaultKey: string): Caller {
  return async (method, path, { key = defaultKey, body, headers = {} } = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && text !== '' ? JSON.parse(text) : text,
    };
  };
}
