import { trackside } from 'trackside/vitest';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [trackside()],
});
