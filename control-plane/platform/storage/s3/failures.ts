/** Failures of a bucket's service as storage failures. */
import { S3ServiceError } from 's3mini';
import { hasCode, messageOf } from '#shared/errors.ts';
import { type FailureReason, StorageFailure } from '../storage.ts';

/** Error codes of services that have no room left; Amazon never runs out. */
const fullCodes: readonly unknown[] = ['QuotaExceeded', 'XMinioStorageFull', 'InsufficientStorage'];

const reasonOf = ({ status, code }: S3ServiceError): FailureReason => {
  if (status === 507 || fullCodes.includes(code)) return 'full';
  if (status === 412 || status === 416 || code === 'NoSuchKey') return 'changed';
  return status >= 400 && status < 500 && status !== 429 && status !== 408 ? 'refused' : 'away';
};

/** The root cause of a failed request. */
const networkCause = (error: unknown): string => {
  if (error instanceof Error && error.cause !== undefined) return networkCause(error.cause);
  if (hasCode(error, 'ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'))
    return `its service cannot be reached (${error.code})`;
  return messageOf(error);
};

/** A response's body is left out: it may repeat the access key and the signed text. */
const failureOf = (error: unknown): StorageFailure => {
  if (error instanceof StorageFailure) return error;
  // Some calls of the client wrap it.
  if (error instanceof Error && error.cause instanceof S3ServiceError) return failureOf(error.cause);
  if (error instanceof S3ServiceError)
    return new StorageFailure(
      reasonOf(error),
      `its service answered ${error.status} ${error.code ?? ''}`.trim(),
    );
  return new StorageFailure('away', networkCause(error), { cause: error });
};

/** @throws {StorageFailure} instead of the call's error */
export const asked = async <T>(call: Promise<T>): Promise<T> => {
  try {
    return await call;
  } catch (error) {
    throw failureOf(error);
  }
};
