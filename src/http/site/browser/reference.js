// Starts the API reference. It asks no server but this one.
const { Scalar } = globalThis;

Scalar.createApiReference('#reference', {
  url: '/v1/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  persistAuth: false,
  authentication: { preferredSecurityScheme: 'key' },
  defaultOpenFirstTag: false,
  baseServerURL: location.origin,
  servers: [{ url: location.origin, description: 'This installation' }],
  metaData: { title: 'API reference · Dialplane' },
});
