// What tests need beyond npm: a Chromium to drive, a Vulkan loader and a software Vulkan driver (SwiftShader, which Debian's
// chromium package brings), and a Redis server for the cluster's. Missing ones are installed on Debian as root, otherwise listed.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

const CHROMIUM_NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The path of a Chromium, or null. CHROMIUM_PATH takes precedence. */
export function findChromium() {
  const given = process.env.CHROMIUM_PATH;
  if (given) return existsSync(given) ? given : null;
  const folders = (process.env.PATH ?? '').split(':');
  for (const name of CHROMIUM_NAMES) {
    for (const folder of folders) {
      if (folder && existsSync(join(folder, name))) return join(folder, name);
    }
  }
  const mac = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
  return existsSync(mac) ? mac : null;
}

/** The manifest of the software Vulkan driver, or null. Searched where chromium packages install it. */
export function findSoftwareVulkan() {
  const folders = ['/usr/lib/chromium', '/usr/lib64/chromium', '/usr/lib/chromium-browser', '/opt/google/chrome'];
  const chromium = findChromium();
  if (chromium) folders.push(dirname(chromium));
  for (const folder of folders) {
    const found = join(folder, 'vk_swiftshader_icd.json');
    if (existsSync(found)) return found;
  }
  const chromiumFiles = spawnSync('dpkg', ['-L', 'chromium'], { encoding: 'utf8' }).stdout ?? '';
  return chromiumFiles.split('\n').find((line) => line.endsWith('vk_swiftshader_icd.json')) ?? null;
}

function findVulkanLoader() {
  const cache = spawnSync('ldconfig', ['-p'], { encoding: 'utf8' }).stdout ?? '';
  if (cache.includes('libvulkan.so.1')) return true;
  const folders = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/lib64', '/usr/lib'];
  return folders.some((folder) => existsSync(folder) && readdirSync(folder).includes('libvulkan.so.1'));
}

/** The path of a Redis or Valkey server, or null. REDIS_PATH takes precedence. */
export function findRedis() {
  const given = process.env.REDIS_PATH;
  if (given) return existsSync(given) ? given : null;
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'];
  for (const name of ['redis-server', 'valkey-server']) {
    for (const folder of folders) if (folder && existsSync(join(folder, name))) return join(folder, name);
  }
  return null;
}

function missing() {
  const parts = [];
  if (!findRedis()) parts.push('a Redis server (redis-server)');
  if (!findChromium()) parts.push('Chromium');
  if (process.platform === 'linux') {
    if (!findVulkanLoader()) parts.push('the Vulkan loader (libvulkan.so.1)');
    if (!findSoftwareVulkan()) parts.push('a software Vulkan driver (vk_swiftshader_icd.json)');
  }
  return parts;
}

/** Installs what is missing if possible; otherwise throws an error that says what to do. */
export function ensureRequirements() {
  if (
    missing().length > 0 &&
    process.platform === 'linux' &&
    process.getuid?.() === 0 &&
    existsSync('/usr/bin/apt-get')
  ) {
    console.log(`Installing ${missing().join(', ')} for the tests …`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const quiet = { stdio: ['ignore', 'ignore', 'inherit'], env };
    execFileSync('apt-get', ['update', '-qq'], quiet);
    execFileSync(
      'apt-get',
      ['install', '-y', '-qq', '--no-install-recommends', 'libvulkan1', 'chromium', 'redis-server'],
      quiet,
    );
  }
  const still = missing();
  if (still.length > 0) {
    throw new Error(
      `The tests need ${still.join(', ')}.\n` +
        'On Debian or Ubuntu: sudo apt-get install --no-install-recommends libvulkan1 chromium redis-server\n' +
        'Elsewhere: install Chromium or Chrome, a Vulkan driver, and Redis or Valkey; CHROMIUM_PATH and REDIS_PATH name them in ' +
        'unusual places.',
    );
  }
}

/** The environment in which tests find the software Vulkan driver; a driver already chosen is left alone. */
export function softwareVulkanEnvironment() {
  if (process.env.VK_DRIVER_FILES) return {};
  const manifest = process.platform === 'linux' ? findSoftwareVulkan() : null;
  // Mesa's implicit layer writes to standard error where there is no display, and tests look at what is written there.
  return manifest ? { VK_DRIVER_FILES: manifest, VK_LOADER_LAYERS_DISABLE: '~implicit~' } : {};
}
