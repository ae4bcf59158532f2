declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>;
  // biome-ignore lint/style/noDefaultExport: so Vite gives them.
  export default classes;
}
declare module '*.css';
