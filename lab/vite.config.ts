// The lab's page. The development server sends the headers of the built one, loosened only for what hot reload needs.
import { fileURLToPath } from 'node:url';
import { createLogger, defineConfig, type Logger } from 'vite';
import { LAB_HEADERS } from '../src/cli/lab-server.js';
import { packageByName } from '../vitest.config.js';

export default defineConfig(({ command }) => ({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  customLogger: withoutNodeWarnings(createLogger(command === 'serve' ? 'info' : 'warn')),
  resolve: { alias: packageByName },
  worker: { format: 'es' },
  build: {
    outDir: '../dist/lab',
    emptyOutDir: true,
    target: 'es2022',
    // Pictures stay files: the policy allows data URLs for images, but files are cached.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
  },
  server: {
    host: '127.0.0.1',
    headers: {
      ...LAB_HEADERS,
      'Content-Security-Policy': LAB_HEADERS['Content-Security-Policy']
        .replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
        .replace("connect-src 'self'", "connect-src 'self' ws:"),
    },
  },
}));

/** The glTF library has a class for Node beside the one for browsers; what that one imports is not used here. */
function withoutNodeWarnings(logger: Logger): Logger {
  const { warn } = logger;
  logger.warn = (message, options) => {
    if (!/"node:(fs|path)" has been externalized/.test(message)) warn(message, options);
  };
  return logger;
}
