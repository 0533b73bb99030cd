/**
 * The parts of the document that have a name. Clients import the schemas by theirs. Headers and refusals that many
 * operations have are written once: without that, most of the document would be copies.
 */
import { globalRegistry, type z } from 'zod';
import type { oas31 } from 'zod-openapi';
import { actorObject } from '#schemas/api/actors.ts';
import { aliasAvailability, aliasList, aliasObject, createAliasBody } from '#schemas/api/aliases.ts';
import { androidAssetLinks, appleAppSiteAssociation } from '#schemas/api/app-links.ts';
import { auditEntry, auditList } from '#schemas/api/audit.ts';
import {
  brandKitList,
  brandKitObject,
  changedBrandKitObject,
  createBrandKitBody,
  updateBrandKitBody,
} from '#schemas/api/brand-kits.ts';
import { brandingBody, brandingObject } from '#schemas/api/branding.ts';
import { bulkProgress, bulkResultEntry } from '#schemas/api/bulk.ts';
import { dryRunReport, submittedReplacement, textReplacement } from '#schemas/api/bulk-replace.ts';
import { codeCount, codeList } from '#schemas/api/code-lists.ts';
import {
  campaignObject,
  codeAnalytics,
  createdCodeObject,
  deactivatedCodeObject,
  deepLinkObject,
  listedCodeObject,
  revertedCodeObject,
  ruleObject,
  updatedCodeObject,
  wholeCodeObject,
} from '#schemas/api/codes.ts';
import {
  conversionBody,
  conversionObject,
  conversionRefused,
  conversionResults,
} from '#schemas/api/conversions.ts';
import { createDomainBody, domainList, domainObject, updateDomainBody } from '#schemas/api/domains.ts';
import { eventFeed, eventObject } from '#schemas/api/event-feed.ts';
import { codeExplanation } from '#schemas/api/explain.ts';
import { createFolderBody, folderList, folderObject, updateFolderBody } from '#schemas/api/folders.ts';
import { createFormBody, formList, formObject, updateFormBody } from '#schemas/api/forms.ts';
import { gs1EntryBody, gs1EntryList, gs1EntryObject } from '#schemas/api/gs1.ts';
import { codeHistory, historyEntry, revertBody } from '#schemas/api/history.ts';
import { downloadUrl } from '#schemas/api/images.ts';
import {
  importList,
  importObject,
  importRowList,
  importRowObject,
  wholeImportObject,
} from '#schemas/api/imports.ts';
import { landingImageUpload, uploadedLandingImage } from '#schemas/api/landing-image.ts';
import {
  createLandingPageBody,
  landingPageList,
  landingPageObject,
  updateLandingPageBody,
} from '#schemas/api/landing-pages.ts';
import { createMenuBody, menuList, menuObject, updateMenuBody } from '#schemas/api/menus.ts';
import { encryption } from '#schemas/api/protection.ts';
import { requestLogEntry, requestLogList, wholeRequestLogEntry } from '#schemas/api/request-logs.ts';
import { changeSettingsBody, workspaceSettings } from '#schemas/api/scan-settings.ts';
import { scanList, scanObject } from '#schemas/api/scans.ts';
import {
  batchJobList,
  batchList,
  batchObject,
  batchSummary,
  batchWithItems,
  mintAnswer,
  mintBody,
  serializedItem,
  serializedJob,
  serializedQuota,
  updateBatchBody,
} from '#schemas/api/serialized.ts';
import { imageExportAnswer, imageExportBody } from '#schemas/api/serialized-images.ts';
import {
  itemMarkBody,
  itemMarkObject,
  markedItemList,
  markItemsAnswer,
  markItemsBody,
  serializedItemDetails,
} from '#schemas/api/serialized-marks.ts';
import { sheetsAnswer, sheetsBody } from '#schemas/api/serialized-sheets.ts';
import { staticCode } from '#schemas/api/static.ts';
import {
  backgroundOptions,
  cornersDotOptions,
  cornersSquareOptions,
  dotsOptions,
  frame,
  gradient,
  imageOptions,
  qrOptions,
  style,
} from '#schemas/api/style.ts';
import { formSent, submissionList, submissionObject } from '#schemas/api/submissions.ts';
import { tagList, tagObject, tagUpdateBody } from '#schemas/api/tags.ts';
import { unknownCodes } from '#schemas/api/unknown-codes.ts';
import { uploadedProgress, uploadReport } from '#schemas/api/upload.ts';
import {
  createdWebhookObject,
  createWebhookBody,
  deliveryList,
  deliveryObject,
  replayBody,
  replayList,
  replayObject,
  rotatedSecret,
  updateWebhookBody,
  webhookList,
  webhookObject,
  wholeDeliveryObject,
} from '#schemas/api/webhooks.ts';
import { workspaceAnalytics } from '#schemas/api/workspace-analytics.ts';
import type { Operation } from '../http/operation.ts';

/** Resources, and parts that several bodies have. */
const namedSchemas: Readonly<Record<string, z.ZodType>> = {
  CodeWithConfiguration: wholeCodeObject,
  CreatedCode: createdCodeObject,
  DeactivatedCode: deactivatedCodeObject,
  UpdatedCode: updatedCodeObject,
  Code: listedCodeObject,
  RevertCode: revertBody,
  RevertedCode: revertedCodeObject,
  CodeHistory: codeHistory,
  CodeHistoryEntry: historyEntry,
  Actor: actorObject,
  CodeList: codeList,
  CodeCount: codeCount,
  Tag: tagObject,
  TagList: tagList,
  UpdateTag: tagUpdateBody,
  CreateFolder: createFolderBody,
  UpdateFolder: updateFolderBody,
  Folder: folderObject,
  FolderList: folderList,
  CodeAnalytics: codeAnalytics,
  CreateAlias: createAliasBody,
  Alias: aliasObject,
  AliasList: aliasList,
  AliasAvailability: aliasAvailability,
  WorkspaceAnalytics: workspaceAnalytics,
  ReportConversion: conversionBody,
  Conversion: conversionObject,
  RefusedConversion: conversionRefused,
  ConversionResults: conversionResults,
  Scan: scanObject,
  ScanList: scanList,
  UnknownCodes: unknownCodes,
  WorkspaceSettings: workspaceSettings,
  UpdateWorkspaceSettings: changeSettingsBody,
  Campaign: campaignObject,
  RoutingRule: ruleObject,
  DeepLinkConfig: deepLinkObject,
  Gradient: gradient,
  Frame: frame,
  QrOptions: qrOptions,
  DotsOptions: dotsOptions,
  CornersSquareOptions: cornersSquareOptions,
  CornersDotOptions: cornersDotOptions,
  BackgroundOptions: backgroundOptions,
  ImageOptions: imageOptions,
  Style: style,
  LandingPageImageUpload: landingImageUpload,
  LandingPageImage: uploadedLandingImage,
  SheetsRequest: sheetsBody,
  SheetsJob: sheetsAnswer,
  MintRequest: mintBody,
  MintJob: mintAnswer,
  SerializedBatch: batchObject,
  SerializedBatchSummary: batchSummary,
  UpdateSerializedBatch: updateBatchBody,
  SerializedItem: serializedItem,
  SerializedBatchWithItems: batchWithItems,
  SerializedItemDetails: serializedItemDetails,
  MarkRequest: itemMarkBody,
  ItemMark: itemMarkObject,
  MarkItemsRequest: markItemsBody,
  MarkedItems: markItemsAnswer,
  MarkedItemList: markedItemList,
  SerializedJob: serializedJob,
  SerializedJobList: batchJobList,
  SerializedQuota: serializedQuota,
  SerializedBatchList: batchList,
  CreateDomain: createDomainBody,
  UpdateDomain: updateDomainBody,
  Domain: domainObject,
  DomainList: domainList,
  CreateLandingPage: createLandingPageBody,
  UpdateLandingPage: updateLandingPageBody,
  LandingPage: landingPageObject,
  LandingPageList: landingPageList,
  CreateMenu: createMenuBody,
  UpdateMenu: updateMenuBody,
  Menu: menuObject,
  MenuList: menuList,
  CreateForm: createFormBody,
  UpdateForm: updateFormBody,
  Form: formObject,
  FormList: formList,
  CodeExplanation: codeExplanation,
  FormSubmission: submissionObject,
  FormSubmissionList: submissionList,
  FormSent: formSent,
  UploadReport: uploadReport,
  UploadedBulkOperation: uploadedProgress,
  BulkOperation: bulkProgress,
  BulkResultEntry: bulkResultEntry,
  Import: importObject,
  ImportWithLimits: wholeImportObject,
  ImportList: importList,
  ImportRow: importRowObject,
  ImportRowList: importRowList,
  SetBranding: brandingBody,
  Branding: brandingObject,
  Encryption: encryption,
  ImageExportRequest: imageExportBody,
  ImageExportJob: imageExportAnswer,
  AppleAppSiteAssociation: appleAppSiteAssociation,
  AndroidAssetLinks: androidAssetLinks,
  SetGs1Entry: gs1EntryBody,
  Gs1Entry: gs1EntryObject,
  Gs1EntryList: gs1EntryList,
  StaticCode: staticCode,
  SubmittedReplacement: submittedReplacement,
  ReplacementDryRun: dryRunReport,
  TextReplacement: textReplacement,
  CreateBrandKit: createBrandKitBody,
  UpdateBrandKit: updateBrandKitBody,
  BrandKit: brandKitObject,
  ChangedBrandKit: changedBrandKitObject,
  BrandKitList: brandKitList,
  DownloadUrl: downloadUrl,
  RequestLogEntry: requestLogEntry,
  RequestLogEntryWithBody: wholeRequestLogEntry,
  RequestLogList: requestLogList,
  CreateWebhook: createWebhookBody,
  UpdateWebhook: updateWebhookBody,
  Webhook: webhookObject,
  CreatedWebhook: createdWebhookObject,
  WebhookList: webhookList,
  RotatedWebhookSecret: rotatedSecret,
  WebhookDelivery: deliveryObject,
  WebhookDeliveryWithAttempts: wholeDeliveryObject,
  WebhookDeliveryList: deliveryList,
  ReplayWebhook: replayBody,
  WebhookReplay: replayObject,
  WebhookReplayList: replayList,
  Event: eventObject,
  EventFeed: eventFeed,
  AuditLog: auditList,
  AuditLogEntry: auditEntry,
};

const name = (id: string, schema: z.ZodType): void => {
  const meta = globalRegistry.get(schema);
  if (!meta?.id) globalRegistry.add(schema, { ...meta, id });
};

for (const [id, schema] of Object.entries(namedSchemas)) name(id, schema);

const pascal = (operationId: string): string => operationId.charAt(0).toUpperCase() + operationId.slice(1);

/** Names bodies and answers of a single operation after it: `CreateCodeRequest`, `ListCodesResponse`. */
export const nameBodies = (operations: readonly Operation[]): void => {
  for (const { docs, body, raw, unchecked } of operations) {
    const given = docs.requestSchema ?? (raw || unchecked ? undefined : body);
    if (given) name(`${pascal(docs.id)}Request`, given);
    for (const [at, [status, { schema }]] of Object.entries(docs.responses).entries())
      if (schema) name(`${pascal(docs.id)}Response${at === 0 ? '' : status}`, schema);
  }
};

/** Fewer copies stay where they are. */
const repeatsMin = 3;

type Responses = Record<string, oas31.ResponseObject | oas31.ReferenceObject>;

const refusalNames: Readonly<Record<string, string>> = {
  400: 'InvalidRequest',
  401: 'Unauthenticated',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  412: 'PreconditionFailed',
  413: 'BodyTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Unprocessable',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'Unavailable',
};

/**
 * Moves what many operations repeat into components: each header, and of each status the refusals that at least three
 * have. The most frequent one of a status has its plain name; others are numbered.
 */
export const shareParts = (whole: oas31.OpenAPIObject): oas31.OpenAPIObject => {
  // Some parts of it are constants, which the next document is made of as well.
  const document = structuredClone(whole);
  const operations = Object.values(document.paths ?? {}).flatMap((item) =>
    Object.values(item).filter((each): each is { responses: Responses } => 'responses' in Object(each)),
  );
  const headers = shareHeaders(operations);
  const responses = shareRefusals(operations);
  return { ...document, components: { ...document.components, headers, responses } };
};

const byCount = (texts: readonly string[]): [text: string, count: number][] => {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
};

const shareHeaders = (operations: readonly { responses: Responses }[]) => {
  const all = operations.flatMap(({ responses }) =>
    Object.values(responses).flatMap((response) => ('headers' in response ? [response.headers ?? {}] : [])),
  );
  const names = new Map<string, string>();
  const shared: Record<string, oas31.HeaderObject> = {};
  for (const [text, count] of byCount(
    all.flatMap((each) => Object.entries(each).map((entry) => JSON.stringify(entry))),
  )) {
    const [header, object] = JSON.parse(text) as [string, oas31.HeaderObject];
    if (count < repeatsMin) continue;
    const name = freeName(header, shared);
    shared[name] = object;
    names.set(text, name);
  }
  for (const each of all)
    for (const entry of Object.entries(each)) {
      const name = names.get(JSON.stringify(entry));
      if (name !== undefined) each[entry[0]] = { $ref: `#/components/headers/${name}` };
    }
  return shared;
};

const shareRefusals = (operations: readonly { responses: Responses }[]) => {
  const all = operations.flatMap(({ responses }) =>
    Object.entries(responses).flatMap(([status, response]) =>
      status in refusalNames ? [{ status, response, responses }] : [],
    ),
  );
  const textOf = ({ status, response }: (typeof all)[number]): string => JSON.stringify([status, response]);
  const names = new Map<string, string>();
  const shared: Responses = {};
  for (const [text, count] of byCount(all.map(textOf))) {
    if (count < repeatsMin) continue;
    const [status, response] = JSON.parse(text) as [string, oas31.ResponseObject];
    const name = freeName(refusalNames[status]!, shared);
    shared[name] = response;
    names.set(text, name);
  }
  for (const each of all) {
    const name = names.get(textOf(each));
    if (name !== undefined) each.responses[each.status] = { $ref: `#/components/responses/${name}` };
  }
  return shared;
};

const freeName = (wanted: string, taken: object): string => {
  const numbered = (at: number): string => (at === 1 ? wanted : `${wanted}${at}`);
  let at = 1;
  while (numbered(at) in taken) at++;
  return numbered(at);
};

type Named = Readonly<Record<string, unknown>>;

/** The opposite of {@link shareParts}, for readers of the document that want each operation as a whole. */
export const withoutSharedParts = <Document extends { paths: unknown; components?: unknown }>(
  document: Document,
): Document => {
  const { headers = {}, responses = {} } = (document.components ?? {}) as Record<
    'headers' | 'responses',
    Named
  >;
  const inlined = (node: unknown, named: Named): unknown =>
    typeof node === 'object' && node !== null && '$ref' in node
      ? named[String(node.$ref).split('/').at(-1)!]
      : node;
  const mapValues = (object: object, change: (value: unknown) => unknown): object =>
    Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
  const whole = (given: unknown): unknown => {
    const response = inlined(given, responses) as { headers?: object };
    return response.headers
      ? { ...response, headers: mapValues(response.headers, (each) => inlined(each, headers)) }
      : response;
  };
  const operation = (each: unknown): unknown =>
    typeof each === 'object' && each !== null && 'responses' in each
      ? { ...each, responses: mapValues(each.responses as object, whole) }
      : each;
  return {
    ...document,
    paths: mapValues(document.paths as object, (item) => mapValues(item as object, operation)),
  };
};
