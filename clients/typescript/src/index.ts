export { type ClientOptions, createPlauditClient } from "./client.js";
export { type Degraded, degradedOf, withoutMissing } from "./degraded.js";
export { degradedExchange, newestAnswerExchange } from "./degraded-exchange.js";
export { codeOf, deletedUntil, retries, retryAfterOf } from "./errors.js";
export { type TextPart, textParts } from "./facets.js";
export { idempotencyExchange } from "./idempotency.js";
export { UploadFailed, uploadFile } from "./upload.js";
export { normalizedCache, UNKNOWN } from "./cache.js";
export * from "./generated/graphql.js";
