// Types of the parts of undici that src/lib/http/undici.ts loads. They are the types of the whole package.
declare module 'undici/lib/dispatcher/agent.js' {
  // biome-ignore lint/style/noDefaultExport: the package has a default export.
  export { Agent as default } from 'undici';
}
declare module 'undici/lib/dispatcher/pool.js' {
  // biome-ignore lint/style/noDefaultExport: the package has a default export.
  export { Pool as default } from 'undici';
}
declare module 'undici/lib/dispatcher/dispatcher.js' {
  // biome-ignore lint/style/noDefaultExport: the package has a default export.
  export { Dispatcher as default } from 'undici';
}
declare module 'undici/lib/core/connect.js' {
  // biome-ignore lint/style/noDefaultExport: the package has a default export.
  export { buildConnector as default } from 'undici';
}
declare module 'undici/lib/api/api-request.js' {
  import type { Dispatcher } from 'undici';

  const request: Dispatcher['request'];
  // biome-ignore lint/style/noDefaultExport: the package has a default export.
  export default request;
}
