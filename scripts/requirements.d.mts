export function findChromium(): string | null;
export function findSoftwareVulkan(): string | null;
export function findRedis(): string | null;
export function ensureRequirements(): void;
export function softwareVulkanEnvironment(): Record<string, string>;
