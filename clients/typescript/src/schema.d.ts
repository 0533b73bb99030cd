export interface paths {
    "/api/qr/codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List codes
         * @description Lists the codes of the workspace, newest first. Send the same filters with each page. Codes that are created in the meantime do not shift the pages.
         *
         *     Paginated: see “Pagination” in the introduction.
         */
        get: operations["listCodes"];
        put?: never;
        /**
         * Create a dynamic code
         * @description Creates a code whose destination can be changed after it is printed. The pattern encodes `redirectUrl`. Each scan is redirected to the destination and counted. The code works as soon as this call returns.
         *
         *     Counts against the plan’s quota `dynamicQr`.
         */
        post: operations["createCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/qr/codes/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export all codes
         * @description Exports every code that exists when the call begins, oldest first. Each code is in the file once, as it is when it is written. Codes that are created in the meantime are not in the file. The response is streamed: see “Downloads” in the introduction.
         *
         *     - `csv`: the fields of the code object, then `preset`, `brandKitId`, `styleJson`, `campaign`, `routingRules`, `deepLinkConfig`, `messages` and `sources`, the last six as JSON. The column names are those that an upload accepts.
         *     - `ndjson`: one code object per line, with all fields.
         *     - `nginx-map`: a configuration with which nginx redirects the codes of this workspace without this service. nginx takes one such file. The operator of the service can write one for all workspaces. Notes in the file name the codes that nginx answers differently: protected codes, payloads, campaigns, rules, deep links, ends and caps.
         *
         *     Passwords are not exported. An encrypted code is exported with its JWE. If the store of scans is unavailable, `scanCount` is the last known count, and `stale` of that line is `scanCount`.
         *
         *     At most 3 exports in an hour (codes and scans together) per subscription: see “Limits” in the introduction.
         */
        get: operations["exportCodes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/qr/codes/{id}/scans.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the scans of a code
         * @description Exports each recorded scan of the window, oldest first. IP addresses and user agents are not stored. The CSV is streamed: see “Downloads” in the introduction. Columns:
         *
         *     - `time`: ISO 8601, UTC
         *     - `kind`: `scan`, or `bot` for a scan that is not counted
         *     - `device`, `os`, `browser`, `country`
         *     - `referrer`: its host
         *     - `source`, `variant`, `rule`
         *     - `visitor`: the same for the scans of a visitor on one day, and without any other meaning
         *
         *     At most 3 exports in an hour (codes and scans together) per subscription: see “Limits” in the introduction.
         */
        get: operations["exportCodeScans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/qr/codes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a code
         * @description Returns a code with the number of its scans so far. Its campaign, routing rules, deep link, style and sources are included if it has them.
         */
        get: operations["getCode"];
        /**
         * Update a code
         * @description Updates the fields that are sent. Other fields keep their values. Scans see the change as soon as this call returns, so nothing has to be printed again. A new style is drawn and decoded before it is stored. A style that no scanner can read is refused with 422.
         *
         *     How the style is updated:
         *
         *     - A key that is sent replaces the stored key as a whole. Other keys keep their values.
         *     - If any key of the look is sent (all but `width`, `height`, `margin` and `returnType`), omitting `image` removes the logo, and omitting `frame` removes the frame.
         *     - A `preset` replaces a brand kit, and a `brandKitId` replaces a preset.
         *     - `null` removes one key and keeps the others: `{"image": null}` removes the logo and keeps the frame.
         */
        put: operations["updateCode"];
        post?: never;
        /**
         * Deactivate a code
         * @description Deactivates a code: its scans get a page that says so. Nothing is deleted. Analytics and configuration are kept, and a `POST` to `activateUrl` activates the code again. Repeating the call changes nothing.
         */
        delete: operations["deleteCode"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/qr/codes/{id}/activate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Activate a code
         * @description Resumes the redirects of a code. This also works for an encrypted code, which `PUT` cannot change. An active code stays as it is. A code that is locked for compliance stays inactive until the operator lifts the lock.
         */
        post: operations["activateCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/qr/codes/{id}/analytics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the analytics of a code
         * @description Returns the scans of the last `days` days, including today, by day, country, device and so on. A scan is included within two seconds. Crawlers, link previews and prefetches are not counted. Visitors are not recognised across days: a visitor on two days counts as two unique visitors.
         */
        get: operations["getCodeAnalytics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/qr/codes/{id}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain where a scan leads
         * @description Evaluates a scan that you describe, with the logic of the redirector. The response has the step that decided, the routing rules that did not match and why, and the share of each variant. Nothing is counted.
         *
         *     A scan that is redirected is checked against the scan cap last. The count is the one that redirectors use. If it cannot be read, `cap.exact` is false, and `cap.taken` is the number of recorded scans.
         */
        get: operations["explainCode"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/qr/codes/{id}/image": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the picture of a code
         * @description Returns the printable picture, drawn from the saved style with its frame and caption. It does not change with the destination. Inactive codes are drawn as well. Keep the `ETag`: if you send it as `If-None-Match` and the picture has not changed, the response is 304 without a body.
         */
        get: operations["getCodeImage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/qr/codes/{id}/download-url": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a link to a code’s picture
         * @description Returns a link that shows the picture to anyone, without a key, until `expiresAt`. Pages of other origins may embed it. It always shows the current style of the code.
         */
        get: operations["getDownloadUrl"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/qr/render/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a picture by its link
         * @description Returns the picture of a link from `GET /api/qr/codes/{id}/download-url`. The signature covers the code, the format, the size, the source and the expiry. If one of them is changed, the response is 404. Appended parameters (`utm_source`, a cache-buster) are ignored.
         *
         *     At most 60 requests in a minute from one address.
         */
        get: operations["renderSigned"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/qr/static": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Render a static code
         * @description Returns the picture of a static code. The pattern contains the data itself, which cannot be changed later. Nothing is stored or counted. `image` is SVG markup if `returnType` is `svg`, otherwise a data URI. `pdf` is not available for static codes.
         */
        post: operations["createStaticCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/qr/generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Generate a static or dynamic code
         * @description Creates a dynamic code if `type` is `dynamic`, with the response of `POST /api/qr/codes`: the quota and `Waymark-Idempotency-Key` apply. Otherwise renders a static code.
         *
         *     The pattern contains the data itself, which cannot be changed later. Nothing is stored or counted. `image` is SVG markup if `returnType` is `svg`, otherwise a data URI. `pdf` is not available for static codes.
         *
         *     Counts against the plan’s quota `dynamicQr`.
         */
        post: operations["generateCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/qr/public/generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Render a static code without a key
         * @description Returns the picture of a static code. The pattern contains the data itself, which cannot be changed later. Nothing is stored or counted. `image` is SVG markup if `returnType` is `svg`, otherwise a data URI. `pdf` is not available for static codes.
         *
         *     At most 10 requests in 24 hours from one address.
         */
        post: operations["generatePublicCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/qr/codes/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create dynamic codes in bulk
         * @description Creates up to 1,000 codes. Each row is the body of a create with a `uid`. The codes are created one after the other after the response: see “Asynchronous operations” in the introduction. The call as a whole is refused if:
         *
         *     - the body is not an array of rows
         *     - a `uid` is missing or repeated
         *     - a `preset` does not exist
         *     - a brand kit belongs to another workspace
         *     - the quota has not enough dynamic codes left for all rows
         *
         *     Counts against the plan’s quota `bulkOrders`.
         *
         *     At most 5 bulk calls in a minute (create, upload, replace and generate together) per subscription: see “Limits” in the introduction.
         */
        post: operations["createCodesInBulk"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/qr/codes/bulk/{bulkId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the progress of a bulk operation
         * @description Returns the progress of a bulk operation. If `status` is `completed`, the result can be fetched.
         */
        get: operations["getBulkOperation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/qr/codes/bulk/{bulkId}/result": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the result of a bulk operation
         * @description Returns one entry per row, in the order of the call. The result can be fetched once: it is removed as soon as a client has received all of it. The codes stay. A fetch that is interrupted does not use it up. A result that is not fetched is removed after 7 days.
         */
        get: operations["getBulkResult"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/qr/codes/bulk/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create dynamic codes from a spreadsheet
         * @description Creates a code for each row of a CSV or XLSX file with at most 500 rows. The format is recognised by the content of the file. Invalid rows are listed and left out. Valid rows are submitted as a bulk operation, which identifies each row by its number in the sheet: see “Asynchronous operations” in the introduction.
         *
         *     - In a workbook, the first visible sheet is read, with the stored values of its formulas.
         *     - A cell has at most 2,000,000 characters.
         *     - `styleJson`, `style` and `mapping` have at most 2,000 fields, values and entries.
         *
         *     The first row names the columns, in any order and case. A list of web addresses needs no header.
         *
         *     - An unknown column is ignored with a warning. If its name is nearly that of a known column, the file is refused.
         *     - `URL`, `Link` and `Website` are read as the destination, `Title` and `Label` as the name, with a warning.
         *     - A row with more cells than the header is invalid. Put quotes around an address that contains the delimiter.
         *     - An apostrophe at the beginning of a CSV cell is removed if a formula sign (`=`, `+`, `-`, `@`) follows: it marks the cell as text. The same applies after a `;`, a tab or a line break in a cell. So an export of codes can be uploaded unchanged.
         *
         *     | column | meaning |
         *     | --- | --- |
         *     | `name` | A label of your choice, at most 120 characters. |
         *     | `dataType` | What the code holds. Default: url. One of `url`, `text`, `email`, `phone`, `sms`, `geo`, `wifi`, `vcard`. |
         *     | `destination` | The web address for url, the text for text, the number for phone, latitude and longitude for geo. |
         *     | `preset` | A ready-made look. It replaces the look of the whole upload. One of `classic`, `soft`, `dots`, `ocean`, `sunset`, `contrast-eyes`, `menu`, `bizcard`, `wifi`, `event`, `boutique`, `cafe`. |
         *     | `brandKitId` | The id of a brand kit, instead of a preset. |
         *     | `primaryColor` | The colour of the pattern, such as #0c4a6e. |
         *     | `backgroundColor` | The colour of the background, such as #ffffff. |
         *     | `frameText` | A caption of at most 24 characters, in a frame. |
         *     | `styleJson` | A JSON object with any other part of the look. It takes precedence over all columns. |
         *     | `password` | Scans ask for this password. |
         *     | `expiresAt` | When the code expires, in ISO 8601 and in the future. Default time zone: UTC. A date alone means the beginning of that day. |
         *     | `maxScans` | How many scans the code redirects, a whole number. After that it shows that it has ended. |
         *     | `wifiSsid` | The name of the network, for the type wifi. |
         *     | `wifiPassword` | The password of the network. |
         *     | `wifiEncryption` | Default: WPA if there is a password, otherwise nopass. One of `WPA`, `WEP`, `nopass`. |
         *     | `emailTo` | The address of the recipient, for the type email. |
         *     | `emailSubject` | The subject of the message. |
         *     | `emailBody` | The text of the message. |
         *     | `smsPhone` | The number of the recipient, for the type sms. |
         *     | `smsMessage` | The text of the message. |
         *     | `vcardFirstName` | For the type vcard. |
         *     | `vcardLastName` | For the type vcard. |
         *     | `vcardPhone` | For the type vcard. |
         *     | `vcardEmail` | For the type vcard. |
         *     | `vcardOrganization` | For the type vcard. |
         *     | `vcardWebsite` | For the type vcard. |
         *
         *     The look of a row is combined in this order: `style`, or the row’s `preset` or `brandKitId` in its place; then `primaryColor`, `backgroundColor` and `frameText`; then `styleJson`. `styleJson` has the keys `shape`, `margin`, `width`, `height`, `returnType`, `qrOptions`, `dotsOptions`, `cornersSquareOptions`, `cornersDotOptions`, `backgroundOptions`, `frame`, `image` and `imageOptions`. Other keys are ignored with a warning.
         *
         *     Exports of Bitly, Shlink, Kutt and YOURLS can be uploaded unchanged. The address becomes the destination, the title becomes the name, and the old link becomes the `uid`, so that the result shows which code replaces which link. Dates, clicks and other columns that `mapping` does not name are not imported. A link that has a password or is banned is invalid until its row is changed.
         *
         *     An export of this service (`waymark`) has the columns of an upload. Its `redirectUrl` is the old link. Codes that have a password, are encrypted or are not active are invalid. Each row with rules, a campaign, deep links or sources has a warning.
         *
         *     Counts against the plan’s quota `bulkOrders`.
         *
         *     At most 5 bulk calls in a minute (create, upload, replace and generate together) per subscription: see “Limits” in the introduction.
         */
        post: operations["uploadCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/qr/codes/bulk/template": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a template for an upload
         * @description Returns a file with every column and an example of each kind of row. Remove the examples before you upload it. If Excel separates cells by semicolons, use `xlsx`: Excel would open the CSV with each line in a single column.
         */
        get: operations["getUploadTemplate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/qr/codes/bulk/replace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Update dynamic codes in bulk
         * @description Updates up to 1,000 codes. The body is an array of rows, each the `id` of a code and the body of an update; or a text to `find` in the destinations of the workspace’s `url` codes, and the text to `replace` it with. The codes are updated after the response: see “Asynchronous operations” in the introduction. Progress and result are those of a bulk create. A code in which nothing differs is not changed (`unchanged`).
         *
         *     With `find`, a call takes the first 1,000 codes that contain the text, in the order of their creation. The response has `remaining`, the number of further codes, and `nextAfter`, the `after` of the next call. Encrypted codes are not searched. With `dryRun`, nothing is changed and the quota `bulkOrders` is not used: the response has the result that each code would have.
         *
         *     Counts against the plan’s quota `bulkOrders`.
         *
         *     At most 5 bulk calls in a minute (create, upload, replace and generate together) per subscription: see “Limits” in the introduction.
         */
        post: operations["replaceCodesInBulk"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/qr/bulk-generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Draw pictures in bulk
         * @description Draws up to 1,000 pictures into one zip, which is kept for a day. The pictures are drawn after the response: see “Asynchronous operations” in the introduction. A row is one of:
         *
         *     - the body of a static code with a `uid`. Nothing of it is stored. `pdf` is not available
         *     - a `uid` and the `id` of a dynamic code. Its picture is that of `GET /api/qr/codes/{id}/image`
         *
         *     A row is refused if it cannot be drawn, or if its code belongs to another workspace. The call as a whole is refused if:
         *
         *     - the body is not an array of rows
         *     - a `uid` is missing or repeated
         *     - a `preset` does not exist
         *     - a brand kit belongs to another workspace
         *     - the pictures have more than 1,073,741,824 pixels in total (`svg` and `pdf` have none)
         *
         *     Counts against the plan’s quota `bulkOrders`.
         *
         *     At most 5 bulk calls in a minute (create, upload, replace and generate together) per subscription: see “Limits” in the introduction.
         */
        post: operations["generateCodesInBulk"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/qr/bulk-generate/{bulkId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the progress of a bulk drawing
         * @description Returns the progress of a bulk operation that draws pictures. If `status` is `completed`, the zip can be downloaded.
         */
        get: operations["getBulkGenerate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/qr/bulk-generate/{bulkId}/result": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the pictures of a bulk drawing
         * @description Returns the pictures as a zip, which can be downloaded for a day: see “Downloads” in the introduction. Each picture is named after the `uid` of its row. Characters that file systems do not accept are replaced with `_`. A number is added if two pictures would have the same name. `results.json` has an entry for each row, in the order of the call: `{uid, status: "created", file, warnings?}`, where `file` is the name, or `{uid, status: "failed", message, code}`.
         */
        get: operations["getBulkGenerateResult"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/qr/landing-pages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List landing pages
         * @description Lists all landing pages of the workspace with all fields, newest first.
         */
        get: operations["listLandingPages"];
        put?: never;
        /**
         * Create a landing page
         * @description Creates a page at `{qr_host}/p/{pageId}`, with a headline, a picture, a text and up to 12 buttons. Use that address as the destination of a code. A workspace has at most 100 landing pages.
         *
         *     An entry of a list keeps the `id` that is sent. Otherwise its `id` is derived from its name, so that the same list gets the same ids. The language of the fixed texts is detected: see “Language of pages” in the introduction.
         *
         *     Requires the plan growth or a larger one (`landingPages`).
         */
        post: operations["createLandingPage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/qr/landing-pages/{pageId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a landing page
         * @description Returns a landing page with all fields.
         */
        get: operations["getLandingPage"];
        put?: never;
        post?: never;
        /**
         * Delete a landing page
         * @description Deletes a landing page. Visitors get the 404 of an address that has no page. The content is removed. The id is never used again.
         */
        delete: operations["deleteLandingPage"];
        options?: never;
        head?: never;
        /**
         * Update a landing page
         * @description Updates the fields that are sent. Other fields keep their values. A list or an object replaces the stored one as a whole. `null` or `""` removes a field. An entry of a list keeps the `id` that is sent. Otherwise its `id` is derived from its name, so that the same list gets the same ids. Visitors see the change at once. A body with nothing but `{"status": "paused"}` works on every plan, so that a page can be paused after a downgrade.
         *
         *     Requires the plan growth or a larger one (`landingPages`).
         */
        patch: operations["updateLandingPage"];
        trace?: never;
    };
    "/api/qr/landing-pages/{pageId}/image": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a picture for a landing page
         * @description Stores a picture, and sets its URL as `heroImageUrl` or `avatarUrl` of the page. The `url` may be used on all pages of the workspace and for the items of its menus.
         *
         *     - The file is a PNG, JPEG, GIF or WebP of at most 5 MB and 50 megapixels. Its type must be that of the data URI.
         *     - A workspace has at most 1,000 pictures. A picture to which no page has referred for 7 days is removed.
         *     - The picture is rotated as its camera recorded, converted to sRGB and encoded again. Nothing else of the file is published: no place, no camera, no name. Of an animation, the first frame is kept.
         *     - Pages show it in up to three widths, as AVIF and WebP. `url` is a JPEG of at most 1200 pixels, for link previews and other uses.
         *     - The same file gets the same `url`.
         *
         *     Requires the plan growth or a larger one (`landingPages`).
         */
        post: operations["uploadLandingPageImage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/p/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open a landing page
         * @description Shows the landing page as a page. It works without JavaScript. The language of the fixed texts is detected: see “Language of pages” in the introduction. Views by people are counted in `viewCount`. Crawlers, link previews, prefetches and HEAD are not counted.
         *
         *     At most 120 requests in a minute from one address.
         */
        get: operations["openLandingPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/qr/forms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List forms
         * @description Lists all forms of the workspace with all fields, newest first.
         */
        get: operations["listForms"];
        put?: never;
        /**
         * Create a form
         * @description Creates a form at `{qr_host}/f/{formId}`, with up to 50 fields that visitors fill in. Use that address as the destination of a code. A workspace has at most 100 forms.
         *
         *     An entry of a list keeps the `id` that is sent. Otherwise its `id` is derived from its name, so that the same list gets the same ids. The language of the fixed texts is detected: see “Language of pages” in the introduction.
         *
         *     Requires the plan growth or a larger one (`forms`).
         */
        post: operations["createForm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/qr/forms/{formId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a form
         * @description Returns a form with all fields.
         */
        get: operations["getForm"];
        put?: never;
        post?: never;
        /**
         * Delete a form
         * @description Deletes a form. Visitors get the 404 of an address that has no page, and no submissions are accepted. The id is never used again.
         *
         *     Stored submissions are kept and can still be read, unless `purgeSubmissions` is `true`. To purge them later, repeat the call with `purgeSubmissions=true`. Without it, a repeated call is refused with 404, and the message has the number of submissions left.
         */
        delete: operations["deleteForm"];
        options?: never;
        head?: never;
        /**
         * Update a form
         * @description Updates the fields that are sent. Other fields keep their values. A list or an object replaces the stored one as a whole. `null` or `""` removes a field. An entry of a list keeps the `id` that is sent. Otherwise its `id` is derived from its name, so that the same list gets the same ids. Visitors see the change at once. A body with nothing but `{"status": "paused"}` works on every plan, so that a page can be paused after a downgrade.
         *
         *     Requires the plan growth or a larger one (`forms`).
         */
        patch: operations["updateForm"];
        trace?: never;
    };
    "/api/qr/forms/{formId}/submissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the submissions of a form
         * @description Lists all submissions that exist when the call begins, newest first. To be notified of each submission, use a webhook for the event `form.submitted`. The response is streamed: see “Downloads” in the introduction.
         *
         *     Submissions are kept if their form is deleted, and can be read here until they are purged with `DELETE /api/qr/forms/{formId}?purgeSubmissions=true`. `form` is then as it was, with its `status`, and has `"deleted": true` and a `deletedAt` in milliseconds since 1970.
         */
        get: operations["listFormSubmissions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/qr/forms/{formId}/submissions.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the submissions of a form
         * @description Exports all submissions that exist when the call begins, newest first. Submissions are kept if their form is deleted, and can be read here until they are purged with `DELETE /api/qr/forms/{formId}?purgeSubmissions=true`. The CSV is streamed: see “Downloads” in the introduction. Columns:
         *
         *     - `submissionId`
         *     - `createdAt`: ISO 8601, UTC
         *     - a column for each current field of the form, named after its label. If another column has the same name, the id is added
         *     - `ip`, `userAgent`, `referrer`
         *     - `otherValues`: the values of fields that the form no longer has, as JSON
         */
        get: operations["exportFormSubmissions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/qr/forms/{formId}/submissions/{submissionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a submission
         * @description Deletes a submission permanently, with everything that is stored of its visitor. `submissionCount` decreases by one. This also works for submissions of a deleted form. Backups of the database contain the submission for as long as they are kept.
         */
        delete: operations["deleteFormSubmission"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/f/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open a form
         * @description Shows the form as a page. It works without JavaScript. The language of the fixed texts is detected: see “Language of pages” in the introduction.
         *
         *     At most 120 requests in a minute from one address.
         */
        get: operations["openForm"];
        put?: never;
        /**
         * Submit a form
         * @description Submits a form, as its page does: each field as `f.{fieldId}`, a ticked checkbox as `true`, and the `_token` of the page. A program opens the page first, reads `_token` from it, and submits the form after 2 seconds. Browsers get pages, which keep the entered values if the form is refused. A client that accepts `application/json` gets JSON.
         *
         *     - A token is valid from 2 seconds to 24 hours after the page was shown.
         *     - A token stores one submission. Sending the same form again, by a double click or because the response was lost, stores nothing more and returns the same response.
         *     - Values are checked against the current form. If a field does not exist, nothing is stored, and `unknownFields` names it.
         *     - Every started 64 KB of the body count as one form of the address. A body without `Content-Length` has at most 64 KB.
         *
         *     At most 30 requests in a minute from one address.
         */
        post: operations["submitForm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/qr/menus": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List menus
         * @description Lists all menus of the workspace with all fields, most recently updated first.
         */
        get: operations["listMenus"];
        put?: never;
        /**
         * Create a menu
         * @description Creates a menu at `{qr_host}/m/{menuId}`: sections of items with prices, allergens and diets. Use that address as the destination of a code. Visitors can filter by allergens, by diets, and by the tags that the menu declares in `tagCategories`. A workspace has at most 50 menus.
         *
         *     An entry of a list keeps the `id` that is sent. Otherwise its `id` is derived from its name, so that the same list gets the same ids. The language of the fixed texts is detected: see “Language of pages” in the introduction.
         *
         *     Requires the plan business or a larger one (`menus`).
         */
        post: operations["createMenu"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/qr/menus/{menuId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a menu
         * @description Returns a menu with all fields.
         */
        get: operations["getMenu"];
        put?: never;
        post?: never;
        /**
         * Delete a menu
         * @description Deletes a menu. Visitors get the 404 of an address that has no page. The content is removed. The id is never used again.
         */
        delete: operations["deleteMenu"];
        options?: never;
        head?: never;
        /**
         * Update a menu
         * @description Updates the fields that are sent. Other fields keep their values. A list or an object replaces the stored one as a whole. `null` or `""` removes a field. An entry of a list keeps the `id` that is sent. Otherwise its `id` is derived from its name, so that the same list gets the same ids. Visitors see the change at once. A body with nothing but `{"status": "paused"}` works on every plan, so that a page can be paused after a downgrade.
         *
         *     Requires the plan business or a larger one (`menus`).
         */
        patch: operations["updateMenu"];
        trace?: never;
    };
    "/m/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open a menu
         * @description Shows the menu as a page. It works without JavaScript. The language of the fixed texts is detected: see “Language of pages” in the introduction. Filters: `diet=vegan` shows the items of that diet, `without=nuts` the items that do not list that allergen, and `tag={categoryId}:{value}` the items with that tag. Each may be repeated. Views by people are counted in `viewCount`. Crawlers, link previews, prefetches and HEAD are not counted.
         *
         *     At most 120 requests in a minute from one address.
         */
        get: operations["openMenu"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/i/{id}/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an uploaded picture
         * @description Returns an uploaded picture in one of its sizes. It is also served at the origin of the codes, where its `url` is. The content of a path never changes: caches keep it for a year. Pages of other origins may embed it. There is no limit by address.
         */
        get: operations["getUploadedImage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/qr/brand-kits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List brand kits
         * @description Lists all kits of the workspace with all fields, sorted by `sortOrder`, then newest first. Kits without `sortOrder` come last.
         */
        get: operations["listBrandKits"];
        put?: never;
        /**
         * Create a brand kit
         * @description Creates a named look, which codes use by `brandKitId`. A workspace has at most 50 kits.
         *
         *     - Rotations are in degrees. `margin` and `logoMargin` are in modules.
         *     - `null` removes a field. `""` also removes a colour, `logoUrl` and `frameText`, and `none` also removes `frameId`.
         *     - The picture at `logoUrl` is fetched when it is sent. If its server does not answer, it is fetched when it is first needed. It is then kept until `logoUrl` is sent again.
         *     - A look in which a code cannot be read is refused with 422.
         *
         *     Requires a key with the role owner or admin.
         */
        post: operations["createBrandKit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/qr/brand-kits/{kitId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a brand kit
         * @description Deletes a brand kit. It can no longer be applied. Codes that use it keep their look.
         *
         *     Requires a key with the role owner or admin.
         */
        delete: operations["deleteBrandKit"];
        options?: never;
        head?: never;
        /**
         * Update a brand kit
         * @description Updates the fields that are sent. The pictures of codes that use the kit change with it. A code that cannot be read in the new look, combined with its own style, keeps the last look in which it could be read.
         *
         *     - Rotations are in degrees. `margin` and `logoMargin` are in modules.
         *     - `null` removes a field. `""` also removes a colour, `logoUrl` and `frameText`, and `none` also removes `frameId`.
         *     - The picture at `logoUrl` is fetched when it is sent. If its server does not answer, it is fetched when it is first needed. It is then kept until `logoUrl` is sent again.
         *     - A look in which a code cannot be read is refused with 422.
         *
         *     Requires a key with the role owner or admin.
         */
        patch: operations["updateBrandKit"];
        trace?: never;
    };
    "/api/qr/gs1/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List GS1 entries
         * @description Lists the entries of the workspace, or of one primary key, newest first.
         *
         *     Paginated: see “Pagination” in the introduction.
         */
        get: operations["listGs1Entries"];
        put?: never;
        /**
         * Create a GS1 entry
         * @description Creates an entry: links at a GS1 Digital Link, which is a primary key with its qualifiers. As soon as this call returns, `{qr_host}{path}` leads to the links, as `GET /01/{gtin}` describes.
         *
         *     - A primary key has at most 200 entries. An entry has at most 50 links.
         *     - A primary key belongs to one workspace. Its first entry or batch claims it, and deleting the last one releases it.
         *     - An entry takes precedence over the entries above it: a batch over its GTIN.
         *
         *     Requires the plan business or a larger one (`gs1Resolver`).
         */
        post: operations["createGs1Entry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/qr/gs1/entries/{entryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a GS1 entry
         * @description Returns the links of an entry, and the number of its scans.
         */
        get: operations["getGs1Entry"];
        /**
         * Replace a GS1 entry
         * @description Replaces the whole content of an entry. The change is in effect as soon as this call returns.
         *
         *     Requires the plan business or a larger one (`gs1Resolver`).
         */
        put: operations["replaceGs1Entry"];
        post?: never;
        /**
         * Delete a GS1 entry
         * @description Deletes an entry. Its path then leads to the entry above it, or to a 404 if there is none. Deleting the last entry of a primary key that has no batches releases the key.
         */
        delete: operations["deleteGs1Entry"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/qr/gs1/entries/{entryId}/analytics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the analytics of a GS1 entry
         * @description Returns the scans of the last `days` days, including today, by day, country, device and so on. A scan is included within two seconds. Crawlers, link previews and prefetches are not counted. Visitors are not recognised across days: a visitor on two days counts as two unique visitors.
         */
        get: operations["getGs1EntryAnalytics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/qr/serialized-batches/consumption": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the quota of serialized items
         * @description Returns the quota of the plan, the items bought in addition, and how many of both are minted. It works on every plan. A bought block counts at once.
         */
        get: operations["getSerializedQuota"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/qr/serialized-batches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List serialized batches
         * @description Lists all batches of the workspace without their items, newest first. Failed batches are included.
         *
         *     Paginated if `limit` or `cursor` is sent: see “Pagination” in the introduction.
         */
        get: operations["listSerializedBatches"];
        put?: never;
        /**
         * Mint a batch of serialized items
         * @description Mints a batch of up to 50,000 items. Each item has an id that cannot be guessed, and its own signed address. The items are taken from the quota at once, and written after the response: see “Asynchronous operations” in the introduction. If they cannot be written, the job and the batch are `failed`, no item is kept, and the quota is given back. The product, the brand and the links are for the verification page.
         *
         *     Requires the plan business or a larger one (`serializedQR`).
         */
        post: operations["mintSerializedBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/qr/serialized-batches/jobs/{jobId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a job of a serialized batch
         * @description Returns the progress of a mint or an export: see “Asynchronous operations” in the introduction.
         */
        get: operations["getSerializedJob"];
        put?: never;
        post?: never;
        /**
         * Cancel or remove a serialized export
         * @description Cancels an export that is in progress: its `status` becomes `failed`, and its `error` says that it was cancelled. If the export is completed, its result is removed early. The stored data is deleted, and its storage is free for other exports. Repeating the call changes nothing. A mint cannot be cancelled.
         */
        delete: operations["cancelSerializedJob"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/qr/serialized-batches/{batchId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a serialized batch and its items
         * @description Returns a batch with a page of its items, in the order in which they were minted. The order never changes. `items.csv` has all items.
         *
         *     Paginated: see “Pagination” in the introduction.
         */
        get: operations["getSerializedBatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update a serialized batch
         * @description Updates the name of a batch, its `notice` that the items are recalled or stolen, and the picture and the links of their verification page. Only the fields that are sent are updated, and `null` unsets one. The pages show the change within a second or two. The verification of each item shows the notice first, whatever the verdict. A notice stops neither claims nor counting: the first scan of an item under a notice remains its first scan, even after the notice is removed. A body with nothing but a `notice` works on every plan, so that a recall can be announced and ended after a downgrade.
         *
         *     Requires the plan business or a larger one (`serializedQR`).
         */
        patch: operations["updateSerializedBatch"];
        trace?: never;
    };
    "/api/qr/serialized-batches/{batchId}/items.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the items of a serialized batch
         * @description Exports all items of a batch in the order in which they were minted, with the columns `itemId`, `url`, `productSku` and `productName`. The CSV is UTF-8 without a byte order mark, separated by commas, with a header line. A cell that a spreadsheet program would read as a formula begins with an apostrophe. The response is streamed: see “Downloads” in the introduction.
         */
        get: operations["exportSerializedItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/qr/serialized-batches/{batchId}/images": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Draw the pictures of a serialized batch
         * @description Draws one picture for each item of a batch, in any style, into one zip. The pictures are drawn after the response: see “Asynchronous operations” in the introduction. If `resultReady` is true, the zip can be downloaded. The exports of a workspace are done one after the other. `DELETE` of the job cancels an export.
         *
         *     - The look is checked before the response with the picture of one item, and applies to all. A later change of the brand kit has no effect.
         *     - All symbols have the same number of modules.
         *     - If a logo would hide too much of its code, it is drawn smaller. `warnings` says so if this applies to the first item.
         *     - A `png` in black and white squares has one bit per pixel.
         */
        post: operations["exportSerializedImages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/qr/serialized-batches/{batchId}/images/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the pictures of a serialized batch
         * @description Returns a zip with one picture for each item, named after its id (`{itemId}.svg` or `{itemId}.png`), in the order in which the items were minted. The zip can be downloaded for 30 days: see “Downloads” in the introduction.
         */
        get: operations["downloadSerializedImages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/qr/serialized-batches/{batchId}/sheets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Draw print sheets of a serialized batch
         * @description Draws one label for each item as a PDF, row by row, in the order in which the items were minted. The PDF is drawn after the response: see “Asynchronous operations” in the introduction. If `resultReady` is true, it can be downloaded. `DELETE` of the job cancels it.
         *
         *     - A page has at most 2,000 labels.
         *     - A layout in which a module would be smaller than 0.25 mm is refused. The message names the field, the size that a module would have, and how many columns or rows fit.
         *     - Codes are black squares with their quiet zone of four modules, and as large as their label allows. All codes have the same number of modules, and the highest error correction that adds none.
         *     - Codes are vectors in one ink, the black of CMYK. Fonts are embedded, and other texts are outlines.
         *     - On labels that are wider than high, captions are beside the code if it becomes larger by that: on the left if the product name is read from right to left, otherwise on the right. On other labels they are below it.
         *     - Captions are in type of at least 4 points. A long product name is set on several lines, and shortened if these have no room. Ids, serials and SKUs are never shortened.
         *     - `host` is on the labels of every stock, unless its name or the other captions are long. Labels that are too small for it have none: `omittedCaptions` of the response names what is left out.
         */
        post: operations["printSerializedSheets"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/qr/serialized-batches/{batchId}/sheets/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the print sheets of a serialized batch
         * @description Returns the sheets as a PDF, which can be downloaded for 30 days: see “Downloads” in the introduction. TrimBox and BleedBox of its pages mark where they are cut.
         */
        get: operations["downloadSerializedSheets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/qr/serialized-batches/{batchId}/labels.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export serialized items for label printers
         * @description Exports a line for each item of a batch, in the order in which the items were minted. The CSV follows RFC 4180: UTF-8, separated by commas, with CR LF line ends and a header line. A cell that a spreadsheet program would read as a formula begins with an apostrophe. Import the columns as text: a program that reads a GTIN as a number drops its leading zeros. The response is streamed: see “Downloads” in the introduction. Columns:
         *
         *     - `itemId`, `url`: for software that draws a QR code of `url`
         *     - `gtin`, `serial`: the values of the GS1 application identifiers 01 and 21, for software that asks for each
         *     - `hri`: the human-readable interpretation, `(01)09506000134352(21)…`. Most label software also accepts it as the content of a GS1 QR code or GS1 DataMatrix, and sets FNC1 itself (“AI syntax”)
         *     - `elementString`: the same without parentheses, for software and printer languages in which you set the leading FNC1 yourself (`]Q3`, `]d2`). No other FNC1 is needed: 01 has a predefined length, and 21 comes last
         *     - `productSku`, `productName`, `brandName`: the values of the batch
         *     - `position`: the position of the item in the batch, from 1
         *
         *     If the batch has no `gtin`, the four GS1 columns are empty.
         */
        get: operations["exportSerializedLabels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/verify/serial": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify a serialized code
         * @description Verifies a serialized code for an app that has read the code itself, as the page behind the code does. The item id and the signature are the last two parts of its URL, `/v/{itemId}/{signature}`. No key is needed. The operation is also served at the origin of the codes.
         *
         *     The first verification of an item claims it, and returns `authentic`. Every later one returns `already_scanned`, with the time and country of the first. A scan by an app counts as one by a person. If the verdict is not certain, the response is 503, which says nothing about the code: try again.
         */
        post: operations["verifySerial"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description Lists all webhooks of the workspace, newest first.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description Creates a webhook: from now on, events of the workspace are sent to its URL as signed `POST` requests. The response has the secret for verifying them. A workspace has at most 20 webhooks. Idempotency keys are not accepted, because the response has a secret. The events are listed under “Webhooks” in this document.
         *
         *     Requires a key with the role owner or admin.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook
         * @description Returns a webhook: its URL, its events and its state.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description Deletes a webhook and its log. Nothing more is sent to it. A request that is in progress is completed.
         *
         *     Requires a key with the role owner or admin.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Update, pause or resume a webhook
         * @description Updates the fields that are sent. Waiting deliveries go to the new URL. While the webhook is paused, nothing is sent, but events are still kept. They are delivered once `status` is `active` again. Resuming the webhook, or changing its URL, resets its earlier failures.
         *
         *     Requires a key with the role owner or admin.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/api/webhooks/{webhookId}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret of a webhook
         * @description Replaces the secret of a webhook. For 24 hours, deliveries are signed with both secrets, so that you can deploy the new one; after that, with the new one alone. The legacy header `X-Service-Signature` uses the new secret at once. If an earlier rotation was still in progress, its previous secret is no longer used.
         *
         *     Requires a key with the role owner or admin.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhookId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test delivery
         * @description Sends an event with example data to the webhook, and to no other webhook. It is delivered like any other: signed, retried and logged, with `test` true in the log. Its body is that of a real event, but the resources in it do not exist. It has the header `webhook-test: true`, which is not signed. If the webhook has `batch`, a scan is sent as a batch of one.
         *
         *     Requires a key with the role owner or admin.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhookId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of a webhook
         * @description Lists deliveries with their responses, including deliveries that wait. The newest events come first. Deliveries are kept for 30 days. With `type` or `qrId`, a page ends when 2,000 deliveries have been searched: it may have fewer entries than `limit`, or no entries, although there is a next page. `from` and `to` select a part of the log.
         *
         *     Paginated: see “Pagination” in the introduction.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhookId}/deliveries/{deliveryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a delivery
         * @description Returns a delivery with its attempts and its request.
         */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhookId}/deliveries/{deliveryId}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resend a delivery
         * @description Sends a delivery again. A delivery that has succeeded or failed starts another round of attempts with the same id, so the receiver recognises it by `webhook-id`. A delivery that waits for its next attempt is due now. While the webhook is paused, the delivery waits.
         *
         *     Requires a key with the role owner or admin.
         */
        post: operations["resendWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhookId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay a time range
         * @description Sends the events of a time range again, or for the first time.
         *
         *     - A delivery starts another round of attempts with the same id, so the receiver recognises it by `webhook-id`.
         *     - A kept event without a delivery gets one. This is an event that another webhook of the workspace followed, or that came while this one overflowed.
         *     - A webhook has one replay at a time, and at most 10 in an hour.
         *     - The replay is done step by step after the response. At most 10,000 deliveries of the webhook wait at a time.
         *
         *     Requires a key with the role owner or admin.
         */
        post: operations["replayWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhookId}/replays": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the replays of a webhook
         * @description Lists the replays of a webhook with their progress, newest first. A finished replay is kept for 30 days.
         *
         *     Paginated: see “Pagination” in the introduction.
         */
        get: operations["listWebhookReplays"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhookId}/replays/{replayId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a replay
         * @description Returns a replay with its progress. A finished replay is kept for 30 days.
         */
        get: operations["getWebhookReplay"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/branding": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the branding
         * @description Returns the branding of the workspace. Unset fields are null.
         */
        get: operations["getBranding"];
        /**
         * Set the branding
         * @description Sets what pages show of you: pages of codes that lead nowhere or show their content, and the password page. Redirectors show it within a second.
         *
         *     - The body replaces the whole branding: a field that is absent or null is unset. `{}` unsets everything.
         *     - Missing texts are in the visitor’s language. Your own are shown as they are.
         *     - A colour is adjusted where a text would be hard to read on it.
         *     - The logo is shown 40 pixels high, and at most 192 pixels wide. It is rotated as its camera recorded, converted to sRGB, and encoded again as a small WebP, which is in the page itself. Of an animation, the first frame is kept. If you send the `logo` of an answer, also of a domain’s, it stays as it is.
         *     - A domain may have a branding of its own: see `PATCH /api/domains/{domainId}`.
         *
         *     Requires a key with the role owner or admin.
         */
        put: operations["setBranding"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/domains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List domains
         * @description Lists all domains of the workspace, newest first.
         */
        get: operations["listDomains"];
        put?: never;
        /**
         * Add a domain
         * @description Adds a domain to the workspace, which has at most 20. Set the TXT record of the response, and point the domain to its `target` with a CNAME, or with A and AAAA records. The record is checked for 14 days, with pauses that grow from one minute to six hours. `POST /api/domains/{domainId}/verify` checks it at once. If several workspaces add the same name, the workspace whose record is found first gets it.
         *
         *     Requires a key with the role owner or admin.
         */
        post: operations["createDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/domains/{domainId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a domain
         * @description Returns a domain with its TXT record, and the times of the last and next check.
         */
        get: operations["getDomain"];
        put?: never;
        post?: never;
        /**
         * Delete a domain
         * @description Deletes a domain. The domain then returns 404 for every request, and gets no new certificate. Codes that were printed with it work only on the service’s own host, at `/r/` and their id, until the domain is verified again. A domain that is or was primary is therefore deleted only with `force=true`, unless it is already switched off.
         *
         *     Requires a key with the role owner or admin.
         */
        delete: operations["deleteDomain"];
        options?: never;
        head?: never;
        /**
         * Update a domain
         * @description Updates the fields that are sent. If `primary` is true, the `redirectUrl` of new codes begins with the domain, and no other domain of the workspace is primary any more. Existing codes keep their `redirectUrl`, and work on both hosts. While the record of the primary domain is missing, new codes use the service’s own host.
         *
         *     A `branding` is replaced as a whole, and may have up to 5 MB with its logo. An empty one, `{}`, shows nothing of you; with `null` the pages of the domain have the branding of the workspace.
         *
         *     Requires a key with the role owner or admin.
         */
        patch: operations["updateDomain"];
        trace?: never;
    };
    "/api/domains/{domainId}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify a domain
         * @description Checks the TXT record at once. This also works for a domain whose record is missing, or that is switched off. If the record is not found, it is checked for another 14 days.
         *
         *     Requires a key with the role owner or admin.
         */
        post: operations["verifyDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscription": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the subscription
         * @description Returns the plan, its status, the paid period, the limits and their use. After an event `subscription.*`, a webhook receiver reads the current state here. `apiCalls` may lag by a few seconds, because each process settles its count in the background.
         */
        get: operations["getSubscription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook/stripe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive an event from Stripe
         * @description Receives an event from Stripe. Only Stripe calls this operation: the operator enters its address in Stripe’s dashboard. The body must be signed in the header `Stripe-Signature`, with a secret of STRIPE_WEBHOOK_SECRET and at most 5 minutes off. Each event is processed once, however often it is sent, and in any order. The types are `customer.subscription.created`, `customer.subscription.updated`, `customer.subscription.deleted`, `customer.subscription.paused`, `customer.subscription.resumed`, `checkout.session.completed`, `checkout.session.async_payment_succeeded`, `invoice.paid`, `invoice.payment_succeeded`, `invoice.payment_failed`, `charge.refunded`. Changes of a subscription are sent to each of its workspaces as events `subscription.*`.
         *
         *     At most 60 requests in a minute from one address.
         */
        post: operations["takeStripeEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/apple-app-site-association": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the iOS app association file
         * @description Returns the file that iOS requests from the origin of the codes. It lists each `appId` of a `deepLinkConfig` that the operator allows on this host, with the codes that have it. If there are too many codes, each workspace gets a share. On the domain of a workspace, it lists the apps and codes of that workspace.
         */
        get: operations["getAppleAppSiteAssociation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/assetlinks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the Android asset links file
         * @description Returns the file that Android requests from the origin of the codes. It lists each app that the operator allows on this host, and each `package` of a `deepLinkConfig` in the workspaces that the operator allows, with its certificates. On the domain of a workspace, it lists the apps of that workspace.
         */
        get: operations["getAndroidAssetLinks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check the health of the service
         * @description Returns whether the service works, for monitors. No key is needed.
         *
         *     At most 120 requests in a minute from one address.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the address of the documentation
         * @description Returns the address of the documentation. Browsers, which accept `text/html`, get a page that says what this service is.
         */
        get: operations["getStart"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get this document
         * @description Returns this document in OpenAPI 3.1, for generators of clients and tests.
         */
        get: operations["getOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the reference
         * @description Returns the introduction as a page. It leads to a page for each group of operations, with examples, and a panel in which they can be tried.
         */
        get: operations["getDocs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/search.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what the search of the reference looks through
         * @description Returns the titles, paths and fields of all operations.
         */
        get: operations["getDocsSearch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/{page}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a page of the reference
         * @description Returns the page of a group of operations, or a file that the pages load.
         */
        get: operations["getDocsPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/r/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Scan a code
         * @description Redirects to the destination. The scan is counted, and counts against the scan cap if there is one. Crawlers, link previews and prefetches are redirected but not counted. A trailing slash makes no difference.
         */
        get: operations["scanCode"];
        put?: never;
        /**
         * Unlock a code with its password
         * @description Opens a protected code, as its form does. The scan is counted if the password is right.
         */
        post: operations["unlockCode"];
        delete?: never;
        options?: never;
        /**
         * Check where a code leads
         * @description Returns the status and headers of a scan, without a body. It is not counted as a scan, but counts against the rate limit.
         */
        head: operations["probeCode"];
        patch?: never;
        trace?: never;
    };
    "/v/{itemId}/{signature}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Scan a serialized code
         * @description Verifies an item of a serialized batch, as `POST /api/verify/serial` does. The first scan by a person claims the item. A trailing slash makes no difference.
         */
        get: operations["openItem"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        /**
         * Check the page of a serialized code
         * @description Returns the status and headers without a body. It claims nothing, but counts against the rate limit.
         */
        head: operations["probeItem"];
        patch?: never;
        trace?: never;
    };
    "/01/{gtin}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Scan a GTIN
         * @description Redirects to the matching link of the most specific level, and counts a scan of its entry. The link is the default one, unless `linkType`, `context`, `lang` or `Accept-Language` selects another. The other GS1 primary keys and all of their qualifiers are resolved in the same way (`/8004/…`, `/01/{gtin}/22/…/10/…/21/…`), and so are paths with an EPC (`/eh…`, `/ex…`).
         */
        get: operations["resolveGtin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        /**
         * Check where a GTIN leads
         * @description Returns the status and headers of GET, without a body. It is not counted as a scan, but counts against the rate limit.
         */
        head: operations["probeGtin"];
        patch?: never;
        trace?: never;
    };
    "/01/{gtin}/10/{batch}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Scan a batch
         * @description Redirects to the matching link of the most specific level, and counts a scan of its entry. The link is the default one, unless `linkType`, `context`, `lang` or `Accept-Language` selects another. The other GS1 primary keys and all of their qualifiers are resolved in the same way (`/8004/…`, `/01/{gtin}/22/…/10/…/21/…`), and so are paths with an EPC (`/eh…`, `/ex…`).
         */
        get: operations["resolveBatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        /**
         * Check where a batch leads
         * @description Returns the status and headers of GET, without a body. It is not counted as a scan, but counts against the rate limit.
         */
        head: operations["probeBatch"];
        patch?: never;
        trace?: never;
    };
    "/01/{gtin}/21/{serial}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Scan a serial number
         * @description Redirects to the matching link of the most specific level, and counts a scan of its entry. The link is the default one, unless `linkType`, `context`, `lang` or `Accept-Language` selects another. The other GS1 primary keys and all of their qualifiers are resolved in the same way (`/8004/…`, `/01/{gtin}/22/…/10/…/21/…`), and so are paths with an EPC (`/eh…`, `/ex…`). If the GTIN has serialized batches, a serial number without an entry is verified, and answered as `/v/{itemId}/{signature}` is, unless the request asks for a link type or for all links.
         */
        get: operations["resolveSerial"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        /**
         * Check where a serial number leads
         * @description Returns the status and headers of GET, without a body. It is not counted as a scan, but counts against the rate limit.
         */
        head: operations["probeSerial"];
        patch?: never;
        trace?: never;
    };
    "/.well-known/gs1resolver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the GS1 resolver description file
         * @description Returns the resolver description file of the GS1-Conformant Resolver Standard.
         */
        get: operations["describeResolver"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "scan.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A dynamic code was scanned
         * @description `scan.created`. Scans by bots and link previews are not reported. The IP address and the user agent of the visitor are never sent.
         */
        post: operations["onScanCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "form.submitted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A visitor has sent a form
         * @description `form.submitted`. The submitted values are not included. Fetch them with the list of submissions.
         */
        post: operations["onFormSubmitted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "qr.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A dynamic code was made
         * @description `qr.created`.
         */
        post: operations["onQrCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "qr.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A dynamic code has changed
         * @description `qr.updated`.
         */
        post: operations["onQrUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "qr.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A dynamic code was deleted: it is inactive from then on
         * @description `qr.deleted`.
         */
        post: operations["onQrDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "serialized.first_scanned": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A serialized item was scanned for the first time
         * @description `serialized.first_scanned`.
         */
        post: operations["onSerializedFirstScanned"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "serialized.duplicate_scanned": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A serialized item was scanned again: it may have been copied
         * @description `serialized.duplicate_scanned`.
         */
        post: operations["onSerializedDuplicateScanned"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "domain.verified": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A domain belongs to the workspace: its TXT record says so
         * @description `domain.verified`.
         */
        post: operations["onDomainVerified"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "domain.record_missing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The TXT record of a verified domain is gone
         * @description `domain.record_missing`. If it does not come back in time, the domain is switched off.
         */
        post: operations["onDomainRecordMissing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "domain.switched_off": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The TXT record of a domain was gone for 30 days: no codes are served on it any more
         * @description `domain.switched_off`.
         */
        post: operations["onDomainSwitchedOff"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.paused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A webhook is paused, as its deliveries have failed for days, or its receiver has answered 410
         * @description `webhook.paused`.
         */
        post: operations["onWebhookPaused"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.activated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The subscription has begun, or is paid for again
         * @description `subscription.activated`. For information only: what counts is what the plan allows. More fields may be added.
         */
        post: operations["onSubscriptionActivated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.renewed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Another period of the subscription is paid for
         * @description `subscription.renewed`. For information only: what counts is what the plan allows. More fields may be added.
         */
        post: operations["onSubscriptionRenewed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The subscription was cancelled
         * @description `subscription.cancelled`. For information only: what counts is what the plan allows. More fields may be added.
         */
        post: operations["onSubscriptionCancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.payment_failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A payment for the subscription has failed
         * @description `subscription.payment_failed`. For information only: what counts is what the plan allows. More fields may be added.
         */
        post: operations["onSubscriptionPaymentFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.plan_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The subscription has another plan
         * @description `subscription.plan_changed`. For information only: what counts is what the plan allows. More fields may be added.
         */
        post: operations["onSubscriptionPlanChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.refunded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A payment for the subscription was given back
         * @description `subscription.refunded`. For information only: what counts is what the plan allows. More fields may be added.
         */
        post: operations["onSubscriptionRefunded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "scan.created.batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Dynamic codes were scanned
         * @description `scan.created.batch`. Sent to webhooks with `batch` instead of `scan.created`: several scans at once, oldest first.
         */
        post: operations["onScanCreatedBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        CreateCodeRequest: {
            /**
             * @description The content of the code. For `url`, an absolute http or https URL. For other data types, either the finished payload as a string (`mailto:…`, `WIFI:…`, `BEGIN:VCARD…`, or a bare address or number), or an object from which it is built:
             *
             *     - `wifi`: `{ssid, encryption, password?, hidden?}`. `encryption` is `WPA`, `WEP` or `nopass`. `password` is required unless `encryption` is `nopass`
             *     - `email`: `{to, subject?, body?}`
             *     - `sms`: `{phone, message?}`
             *     - `phone`: `{phone}`
             *     - `geo`: `{latitude, longitude}` in degrees
             *     - `vcard`: `{firstName?, lastName?, phone?, email?, organization?, title?, website?, address?}`, with at least one of `firstName`, `lastName`, `organization`
             *     - `mecard`: `{name, phone?, email?, url?, address?, note?}`
             *     - `vcalendar`: `{title, start, end, location?, description?, timeZone?}`, with times in ISO 8601 and days as `2030-01-31`
             *     - `gs1`: `{gtin?, batch?, serial?, expiry?, elements?, format?, domain?}`, with at least `gtin` or `elements`. `elements` has values by any application identifier, such as `{"01": "09506000134352", "3103": "000195"}`. The object becomes a GS1 Digital Link at `domain` (default: id.gs1.org). In a static code, `format: "element-string"` makes it an element string, whose symbol begins with FNC1. A string is a Digital Link, or an element string: `(01)09506000134352(10)A1`, or with FNC1 as `^` or U+001D. An element string of a dynamic code becomes a Digital Link. The rules of GS1 are enforced: lengths, characters, check digits, codes, and which elements require or exclude each other
             */
            data: string | {
                [key: string]: unknown;
            };
            /**
             * @description The type of the content. Dynamic codes of the types `url` and `gs1` redirect. The other types show the content on a page, with the matching action, such as saving a contact.
             * @default url
             * @enum {string}
             */
            dataType?: "url" | "text" | "email" | "wifi" | "vcard" | "sms" | "phone" | "geo" | "vcalendar" | "mecard" | "gs1";
            /**
             * @description A human-readable label. `null` and `""` clear it.
             * @default null
             */
            name?: string | null;
            /** @description Attribution tags. A scan of `redirectUrl?s={id}` is counted for that source. */
            sources?: {
                /** @description The value in `?s=`: letters, digits and `. _ ~ -`. Unique in the list. */
                id: string;
                /** @description A human-readable name. Default: the `id`. */
                name?: string;
            }[];
            /** @description The protections of the code. Each must be sent together with its field: `password` with `password`, `encrypt` with `encryption`, `expire` with `expiry`. */
            secure?: ("password" | "encrypt" | "expire")[];
            /** @description Scanners must enter it. Stored as an argon2id hash. */
            password?: string;
            /** @description Encrypts the payload before it is stored. The scanner’s browser decrypts it. Neither the payload nor the passphrase is stored. An encrypted code cannot be updated, and has no routing rules, campaign or deep links. */
            encryption?: components["schemas"]["Encryption"];
            /** @description When the code expires, in milliseconds since 1970. Must be in the future. From then on, scans get 410. */
            expiry?: number;
            /** @description When the code expires: ISO 8601 with an offset, a date alone (midnight UTC), or milliseconds since 1970. Must be in the future. From then on, scans get 410. `null` and `""` remove it. Must not be sent together with `expiry`. */
            expiresAt?: (string | number) | null;
            /** @description The scan cap. Once it is reached, further scans get 410. `null` removes the cap. A new number keeps the count so far. Crawlers and link previews do not count. */
            maxScans?: number | null;
            /** @description The first rule whose condition matches decides. `[]` and `null` clear the list. */
            routingRules?: {
                /** @description Analytics are kept by it. Unique in the list. Default: by position, such as `rule-1`. */
                id?: string;
                /** @description Which scans match. All keys that are sent must match, each by one of its values. At least one key is required. */
                condition: {
                    /** @description Countries of the scanner: ISO 3166-1 alpha-2 codes, in upper or lower case. */
                    country?: string[];
                    /** @description Kinds of device. */
                    device?: ("mobile" | "tablet" | "desktop" | "bot")[];
                    /** @description Operating systems. `other` means any other system. */
                    os?: ("other" | "ios" | "android" | "windows" | "macos" | "linux")[];
                };
                /** @description Where matching scans go: an absolute http or https URL. */
                destination: string;
            }[] | null;
            /** @description While `status` is `active`, each scan that no rule matches goes to one variant, drawn by weight. `null` clears it. */
            campaign?: {
                /**
                 * @description If `paused`, scans go to the destination of the code.
                 * @enum {string}
                 */
                status: "active" | "paused";
                /** @description The destinations among which scans are divided. At least one needs a weight above 0. */
                variants: {
                    /** @description Analytics are kept by it. Unique in the list. Default: by position, such as `variant-1`. */
                    id?: string;
                    /** @description A human-readable name. Default: the `id`. */
                    name?: string;
                    /** @description Where scans of this variant go: an absolute http or https URL. */
                    destination: string;
                    /** @description The share of the scans, relative to the weights of the other variants. 0 means no scans. */
                    weight: number;
                }[];
            } | null;
            /** @description Apps to open on iOS and Android. If `url` is https (a universal link or app link), scans are redirected to it. If it has another scheme, scans get a page that tries it and falls back to the store, then to the destination. If no rule matches, the app takes the place of the destination there, also of a campaign’s variant, for which the scan is counted. `appId`, and `package` with `sha256CertFingerprints`, are listed under `/.well-known/` if the operator of the host allows it. `null` clears it. */
            deepLinkConfig?: {
                /** @description The app on iPhones and iPads. */
                ios?: {
                    /** @description The URL that opens the app: https (a universal link), or the app’s own scheme, such as `myapp://open`. */
                    url: string;
                    /** @description Where scanners without the app go: an https URL. Used only if `url` has the app’s own scheme. Default: the destination of the code. */
                    appStoreUrl?: string;
                    /** @description The team id and bundle id, such as `ABCDE12345.com.example.app`, for `apple-app-site-association`. */
                    appId?: string;
                };
                /** @description The app on Android. */
                android?: {
                    /** @description The URL that opens the app: https (an app link), or the app’s own scheme, such as `myapp://open`. */
                    url: string;
                    /** @description Where scanners without the app go: an https URL. Used only if `url` has the app’s own scheme. Default: the destination of the code. */
                    playStoreUrl?: string;
                    /** @description The package name, such as `com.example.app`. Listed in `assetlinks.json` together with the certificates. */
                    package?: string;
                    /** @description The SHA-256 fingerprints of the certificates that sign the app: 32 pairs of hexadecimal digits, separated by colons. Requires `package`. */
                    sha256CertFingerprints?: string[];
                };
            } | null;
            /** @description What people see in place of the code if it is switched off, has expired, or has reached its scan cap: a title, a text and a button. What is not given comes from the branding of the workspace. `null` clears it. */
            messages?: {
                /** @description If the code is switched off. */
                inactive?: {
                    /** @description Replaces the title. */
                    title?: string;
                    /** @description Replaces the text below the title. */
                    text?: string;
                    /** @description The way on, above those of the workspace. */
                    button?: {
                        /** @description The text on the button. */
                        label: string;
                        /** @description Where it leads: an `http:`, `https:`, `mailto:` or `tel:` URL. */
                        url: string;
                    };
                };
                /** @description If it has expired. */
                expired?: {
                    /** @description Replaces the title. */
                    title?: string;
                    /** @description Replaces the text below the title. */
                    text?: string;
                    /** @description The way on, above those of the workspace. */
                    button?: {
                        /** @description The text on the button. */
                        label: string;
                        /** @description Where it leads: an `http:`, `https:`, `mailto:` or `tel:` URL. */
                        url: string;
                    };
                };
                /** @description If its scan cap is reached. */
                capped?: {
                    /** @description Replaces the title. */
                    title?: string;
                    /** @description Replaces the text below the title. */
                    text?: string;
                    /** @description The way on, above those of the workspace. */
                    button?: {
                        /** @description The text on the button. */
                        label: string;
                        /** @description Where it leads: an `http:`, `https:`, `mailto:` or `tel:` URL. */
                        url: string;
                    };
                };
            } | null;
            /**
             * @description A predefined look. Fields that are sent with it override it. It is stored by name: a release that redraws a preset also redraws the codes that use it. Must not be given together with `brandKitId`.
             * @enum {string}
             */
            preset?: "classic" | "soft" | "dots" | "ocean" | "sunset" | "contrast-eyes" | "menu" | "bizcard" | "wifi" | "event" | "boutique" | "cafe";
            /** @description The `kitId` of a brand kit of the workspace, whose look is used. Fields that are sent with it override it. Must not be given together with `preset`. */
            brandKitId?: string;
            /**
             * @description The outline of the whole code. Default: `square`.
             * @enum {string}
             */
            shape?: "square" | "circle";
            /** @description The frame around the code, and its caption. */
            frame?: components["schemas"]["Frame"];
            /** @description How the symbol is encoded. */
            qrOptions?: components["schemas"]["QrOptions"];
            /** @description The modules of the code, except its eyes. */
            dotsOptions?: components["schemas"]["DotsOptions"];
            /** @description The outer rings of the three eyes. */
            cornersSquareOptions?: components["schemas"]["CornersSquareOptions"];
            /** @description The centres of the three eyes. */
            cornersDotOptions?: components["schemas"]["CornersDotOptions"];
            /** @description The background of the code. */
            backgroundOptions?: components["schemas"]["BackgroundOptions"];
            /** @description A logo for the centre, as a data URI or in base64: PNG, JPEG, GIF, WebP or SVG, at most 1 MB. */
            image?: string;
            /** @description How the logo is placed. */
            imageOptions?: components["schemas"]["ImageOptions"];
            /** @description Pixels. If only one of `width` and `height` is sent, the other follows from the proportions of the frame (at most 4096); without a frame, it is the same. Without both, the picture is 512 × 512 pixels. */
            width?: number;
            /** @description Pixels; see `width`. */
            height?: number;
            /** @description The quiet zone, in modules. 0 removes it. Default: 4. */
            margin?: number;
            /**
             * @description The format of the picture, if the operation has no `format` field. `jpeg` means the same as `jpg`. Default: `png`.
             * @enum {string}
             */
            returnType?: "png" | "svg" | "jpg" | "jpeg" | "webp";
        };
        Encryption: {
            /**
             * @description `AES` encrypts with a passphrase, `RSA` for the holder of a private key.
             * @enum {string}
             */
            type: "AES" | "RSA";
            /** @description For `AES`, the passphrase. For `RSA`, a public key in PEM of at least 2048 bits. */
            key: string;
        };
        Gradient: {
            /**
             * @description `linear`: along a line. `radial`: from the centre outwards.
             * @enum {string}
             */
            type: "linear" | "radial";
            /** @description The direction of a linear gradient, in radians: 0 runs from left to right, π/2 from top to bottom. Default: 0. A radial gradient has no direction. */
            rotation?: number;
            /** @description The colours of the gradient, in the order of their offsets. */
            colorStops: {
                /** @description The position of the colour: 0 is the start of the gradient, 1 its end. */
                offset: number;
                /** @description The colour, `#rrggbb`. */
                color: string;
            }[];
        };
        Frame: {
            /**
             * @description The kind of frame. `none` means no frame.
             * @enum {string}
             */
            id: "none" | "border" | "scanme" | "banner" | "rounded" | "polaroid" | "phone" | "ticket" | "bubble" | "ribbon";
            /** @description The caption. A long caption wraps onto two lines. Emoji are drawn in a single colour. `""` means no caption. Default: `Scan me`. */
            text?: string;
            /** @description The colour of the frame: `#rrggbb` or a gradient. Default: the colour of the eyes’ outer rings or of the dots, if it is set and is not a gradient; otherwise `#111827`. */
            color?: string | components["schemas"]["Gradient"];
            /** @description The colour of the caption: `#rrggbb` or a gradient, with a contrast of at least 3:1 against its background. Default: a colour with enough contrast. */
            textColor?: string | components["schemas"]["Gradient"];
            /** @description The background inside the frame: `#rrggbb`, a gradient, or `transparent`, which shows what is behind the picture and is white in a JPEG. Default: the background of the code, or white if that is transparent. */
            background?: string | components["schemas"]["Gradient"];
            /**
             * @description The typeface of the caption. Default: `sans`.
             * @enum {string}
             */
            font?: "sans" | "serif" | "mono" | "display" | "rounded";
            /** @description Whether the caption is in capital letters. Default: false. */
            uppercase?: boolean;
        };
        QrOptions: {
            /**
             * @description How much of the symbol may be covered or damaged: about 7 % (`L`), 15 % (`M`), 25 % (`Q`) or 30 % (`H`). Default: `M`, or `H` with a logo.
             * @enum {string}
             */
            errorCorrectionLevel?: "L" | "M" | "Q" | "H";
            /** @description The version of the symbol, which sets its size: version 1 has 21 modules on a side, each further version 4 more. Default: 0, the smallest version that holds the data. */
            typeNumber?: number;
            /**
             * @description How the characters are encoded. Default: `auto`, the shortest encoding.
             * @enum {string}
             */
            mode?: "auto" | "numeric" | "alphanumeric" | "byte";
        };
        DotsOptions: {
            /**
             * @description The shape of a module. Default: `square`.
             * @enum {string}
             */
            type?: "square" | "dots" | "rounded" | "classy" | "classy-rounded" | "extra-rounded";
            /** @description The colour of the modules: `#rrggbb` or a gradient. Default: `#000000`. */
            color?: string | components["schemas"]["Gradient"];
        };
        CornersSquareOptions: {
            /**
             * @description The shape of the rings. Default: the shape of the dots.
             * @enum {string}
             */
            type?: "square" | "dots" | "rounded" | "classy" | "classy-rounded" | "extra-rounded" | "dot";
            /** @description The colour of the rings: `#rrggbb` or a gradient. Default: the colour of the dots. */
            color?: string | components["schemas"]["Gradient"];
        };
        CornersDotOptions: {
            /**
             * @description The shape of the centres. Default: the shape of the dots. In a round ring (`dot`) a centre with corners is a tenth smaller, so that readers do not take the two for one figure.
             * @enum {string}
             */
            type?: "square" | "dots" | "rounded" | "classy" | "classy-rounded" | "extra-rounded" | "dot";
            /** @description The colour of the centres: `#rrggbb` or a gradient. Default: the colour of the outer rings. */
            color?: string | components["schemas"]["Gradient"];
        };
        BackgroundOptions: {
            /** @description The colour: `#rrggbb`, a gradient, or `transparent`. Default: white. */
            color?: string | components["schemas"]["Gradient"];
            /** @description How round the corners are: 0 is square, 1 fully rounded. Default: 0. */
            round?: number;
        };
        ImageOptions: {
            /** @description The longer side of the logo as a fraction of the code’s side without its quiet zone; 0 means no logo. If a logo of this size would hide too much of a code, it is drawn at the largest size at which the code can be read, and `warnings` says so if the size was sent. Default: 0.3. */
            imageSize?: number;
            /** @description The free space around the logo, in modules. The logo keeps its size. Default: 0. */
            margin?: number;
            /** @description Whether the modules behind the logo are omitted. Default: true. */
            hideBackgroundDots?: boolean;
        };
        UpdateCodeRequest: {
            /** @description Where scans go from now on. Accepts the same values as `data` when a code of this data type is created. */
            destination?: string | {
                [key: string]: unknown;
            };
            /** @description A human-readable label. `null` and `""` clear it. */
            name?: string | null;
            /**
             * @description `inactive` switches the code off: scans get a page that says so. `active` switches it on again.
             * @enum {string}
             */
            status?: "active" | "inactive";
            /** @description Sets or replaces the password. `null` removes it. */
            password?: string | null;
            /** @description When the code expires: ISO 8601 with an offset, a date alone (midnight UTC), or milliseconds since 1970. Must be in the future. From then on, scans get 410. `null` and `""` remove it. */
            expiresAt?: (string | number) | null;
            /** @description The scan cap. Once it is reached, further scans get 410. `null` removes the cap. A new number keeps the count so far. Crawlers and link previews do not count. */
            maxScans?: number | null;
            /** @description The first rule whose condition matches decides. `[]` and `null` clear the list. */
            routingRules?: {
                /** @description Analytics are kept by it. Unique in the list. Default: by position, such as `rule-1`. */
                id?: string;
                /** @description Which scans match. All keys that are sent must match, each by one of its values. At least one key is required. */
                condition: {
                    /** @description Countries of the scanner: ISO 3166-1 alpha-2 codes, in upper or lower case. */
                    country?: string[];
                    /** @description Kinds of device. */
                    device?: ("mobile" | "tablet" | "desktop" | "bot")[];
                    /** @description Operating systems. `other` means any other system. */
                    os?: ("other" | "ios" | "android" | "windows" | "macos" | "linux")[];
                };
                /** @description Where matching scans go: an absolute http or https URL. */
                destination: string;
            }[] | null;
            /** @description While `status` is `active`, each scan that no rule matches goes to one variant, drawn by weight. `null` clears it. */
            campaign?: {
                /**
                 * @description If `paused`, scans go to the destination of the code.
                 * @enum {string}
                 */
                status: "active" | "paused";
                /** @description The destinations among which scans are divided. At least one needs a weight above 0. */
                variants: {
                    /** @description Analytics are kept by it. Unique in the list. Default: by position, such as `variant-1`. */
                    id?: string;
                    /** @description A human-readable name. Default: the `id`. */
                    name?: string;
                    /** @description Where scans of this variant go: an absolute http or https URL. */
                    destination: string;
                    /** @description The share of the scans, relative to the weights of the other variants. 0 means no scans. */
                    weight: number;
                }[];
            } | null;
            /** @description Apps to open on iOS and Android. If `url` is https (a universal link or app link), scans are redirected to it. If it has another scheme, scans get a page that tries it and falls back to the store, then to the destination. If no rule matches, the app takes the place of the destination there, also of a campaign’s variant, for which the scan is counted. `appId`, and `package` with `sha256CertFingerprints`, are listed under `/.well-known/` if the operator of the host allows it. `null` clears it. */
            deepLinkConfig?: {
                /** @description The app on iPhones and iPads. */
                ios?: {
                    /** @description The URL that opens the app: https (a universal link), or the app’s own scheme, such as `myapp://open`. */
                    url: string;
                    /** @description Where scanners without the app go: an https URL. Used only if `url` has the app’s own scheme. Default: the destination of the code. */
                    appStoreUrl?: string;
                    /** @description The team id and bundle id, such as `ABCDE12345.com.example.app`, for `apple-app-site-association`. */
                    appId?: string;
                };
                /** @description The app on Android. */
                android?: {
                    /** @description The URL that opens the app: https (an app link), or the app’s own scheme, such as `myapp://open`. */
                    url: string;
                    /** @description Where scanners without the app go: an https URL. Used only if `url` has the app’s own scheme. Default: the destination of the code. */
                    playStoreUrl?: string;
                    /** @description The package name, such as `com.example.app`. Listed in `assetlinks.json` together with the certificates. */
                    package?: string;
                    /** @description The SHA-256 fingerprints of the certificates that sign the app: 32 pairs of hexadecimal digits, separated by colons. Requires `package`. */
                    sha256CertFingerprints?: string[];
                };
            } | null;
            /** @description What people see in place of the code if it is switched off, has expired, or has reached its scan cap: a title, a text and a button. What is not given comes from the branding of the workspace. `null` clears it. */
            messages?: {
                /** @description If the code is switched off. */
                inactive?: {
                    /** @description Replaces the title. */
                    title?: string;
                    /** @description Replaces the text below the title. */
                    text?: string;
                    /** @description The way on, above those of the workspace. */
                    button?: {
                        /** @description The text on the button. */
                        label: string;
                        /** @description Where it leads: an `http:`, `https:`, `mailto:` or `tel:` URL. */
                        url: string;
                    };
                };
                /** @description If it has expired. */
                expired?: {
                    /** @description Replaces the title. */
                    title?: string;
                    /** @description Replaces the text below the title. */
                    text?: string;
                    /** @description The way on, above those of the workspace. */
                    button?: {
                        /** @description The text on the button. */
                        label: string;
                        /** @description Where it leads: an `http:`, `https:`, `mailto:` or `tel:` URL. */
                        url: string;
                    };
                };
                /** @description If its scan cap is reached. */
                capped?: {
                    /** @description Replaces the title. */
                    title?: string;
                    /** @description Replaces the text below the title. */
                    text?: string;
                    /** @description The way on, above those of the workspace. */
                    button?: {
                        /** @description The text on the button. */
                        label: string;
                        /** @description Where it leads: an `http:`, `https:`, `mailto:` or `tel:` URL. */
                        url: string;
                    };
                };
            } | null;
            /** @description A predefined look. Fields that are sent with it override it. It is stored by name: a release that redraws a preset also redraws the codes that use it. Must not be given together with `brandKitId`. `null` removes it and changes nothing else. */
            preset?: ("classic" | "soft" | "dots" | "ocean" | "sunset" | "contrast-eyes" | "menu" | "bizcard" | "wifi" | "event" | "boutique" | "cafe") | null;
            /** @description The `kitId` of a brand kit of the workspace, whose look is used. Fields that are sent with it override it. Must not be given together with `preset`. `null` removes it and changes nothing else. */
            brandKitId?: string | null;
            /** @description The outline of the whole code. Default: `square`. `null` removes it and changes nothing else. */
            shape?: ("square" | "circle") | null;
            /** @description The frame around the code, and its caption. `null` removes it and changes nothing else. */
            frame?: components["schemas"]["Frame"] | null;
            /** @description How the symbol is encoded. `null` removes it and changes nothing else. */
            qrOptions?: components["schemas"]["QrOptions"] | null;
            /** @description The modules of the code, except its eyes. `null` removes it and changes nothing else. */
            dotsOptions?: components["schemas"]["DotsOptions"] | null;
            /** @description The outer rings of the three eyes. `null` removes it and changes nothing else. */
            cornersSquareOptions?: components["schemas"]["CornersSquareOptions"] | null;
            /** @description The centres of the three eyes. `null` removes it and changes nothing else. */
            cornersDotOptions?: components["schemas"]["CornersDotOptions"] | null;
            /** @description The background of the code. `null` removes it and changes nothing else. */
            backgroundOptions?: components["schemas"]["BackgroundOptions"] | null;
            /** @description A logo for the centre, as a data URI or in base64: PNG, JPEG, GIF, WebP or SVG, at most 1 MB. `null` removes it and changes nothing else. */
            image?: string | null;
            /** @description How the logo is placed. `null` removes it and changes nothing else. */
            imageOptions?: components["schemas"]["ImageOptions"] | null;
            /** @description Pixels. If only one of `width` and `height` is sent, the other follows from the proportions of the frame (at most 4096); without a frame, it is the same. Without both, the picture is 512 × 512 pixels. `null` removes it and changes nothing else. */
            width?: number | null;
            /** @description Pixels; see `width`. `null` removes it and changes nothing else. */
            height?: number | null;
            /** @description The quiet zone, in modules. 0 removes it. Default: 4. `null` removes it and changes nothing else. */
            margin?: number | null;
            /** @description The format of the picture, if the operation has no `format` field. `jpeg` means the same as `jpg`. Default: `png`. `null` removes it and changes nothing else. */
            returnType?: ("png" | "svg" | "jpg" | "jpeg" | "webp") | null;
        };
        CreateStaticCodeRequest: {
            /**
             * @description The content of the code. For `url`, an absolute http or https URL. For other data types, either the finished payload as a string (`mailto:…`, `WIFI:…`, `BEGIN:VCARD…`, or a bare address or number), or an object from which it is built:
             *
             *     - `wifi`: `{ssid, encryption, password?, hidden?}`. `encryption` is `WPA`, `WEP` or `nopass`. `password` is required unless `encryption` is `nopass`
             *     - `email`: `{to, subject?, body?}`
             *     - `sms`: `{phone, message?}`
             *     - `phone`: `{phone}`
             *     - `geo`: `{latitude, longitude}` in degrees
             *     - `vcard`: `{firstName?, lastName?, phone?, email?, organization?, title?, website?, address?}`, with at least one of `firstName`, `lastName`, `organization`
             *     - `mecard`: `{name, phone?, email?, url?, address?, note?}`
             *     - `vcalendar`: `{title, start, end, location?, description?, timeZone?}`, with times in ISO 8601 and days as `2030-01-31`
             *     - `gs1`: `{gtin?, batch?, serial?, expiry?, elements?, format?, domain?}`, with at least `gtin` or `elements`. `elements` has values by any application identifier, such as `{"01": "09506000134352", "3103": "000195"}`. The object becomes a GS1 Digital Link at `domain` (default: id.gs1.org). In a static code, `format: "element-string"` makes it an element string, whose symbol begins with FNC1. A string is a Digital Link, or an element string: `(01)09506000134352(10)A1`, or with FNC1 as `^` or U+001D. An element string of a dynamic code becomes a Digital Link. The rules of GS1 are enforced: lengths, characters, check digits, codes, and which elements require or exclude each other
             */
            data: string | {
                [key: string]: unknown;
            };
            /**
             * @description The type of the content. Dynamic codes of the types `url` and `gs1` redirect. The other types show the content on a page, with the matching action, such as saving a contact.
             * @default url
             * @enum {string}
             */
            dataType?: "url" | "text" | "email" | "wifi" | "vcard" | "sms" | "phone" | "geo" | "vcalendar" | "mecard" | "gs1";
            /**
             * @description A human-readable label. `null` and `""` clear it.
             * @default null
             */
            name?: string | null;
            /** @description Attribution tags. A scan of `redirectUrl?s={id}` is counted for that source. */
            sources?: {
                /** @description The value in `?s=`: letters, digits and `. _ ~ -`. Unique in the list. */
                id: string;
                /** @description A human-readable name. Default: the `id`. */
                name?: string;
            }[];
            /**
             * @description A predefined look. Fields that are sent with it override it. It is stored by name: a release that redraws a preset also redraws the codes that use it. Must not be given together with `brandKitId`.
             * @enum {string}
             */
            preset?: "classic" | "soft" | "dots" | "ocean" | "sunset" | "contrast-eyes" | "menu" | "bizcard" | "wifi" | "event" | "boutique" | "cafe";
            /** @description The `kitId` of a brand kit of the workspace, whose look is used. Fields that are sent with it override it. Must not be given together with `preset`. */
            brandKitId?: string;
            /**
             * @description The outline of the whole code. Default: `square`.
             * @enum {string}
             */
            shape?: "square" | "circle";
            /** @description The frame around the code, and its caption. */
            frame?: components["schemas"]["Frame"];
            /** @description How the symbol is encoded. */
            qrOptions?: components["schemas"]["QrOptions"];
            /** @description The modules of the code, except its eyes. */
            dotsOptions?: components["schemas"]["DotsOptions"];
            /** @description The outer rings of the three eyes. */
            cornersSquareOptions?: components["schemas"]["CornersSquareOptions"];
            /** @description The centres of the three eyes. */
            cornersDotOptions?: components["schemas"]["CornersDotOptions"];
            /** @description The background of the code. */
            backgroundOptions?: components["schemas"]["BackgroundOptions"];
            /** @description A logo for the centre, as a data URI or in base64: PNG, JPEG, GIF, WebP or SVG, at most 1 MB. */
            image?: string;
            /** @description How the logo is placed. */
            imageOptions?: components["schemas"]["ImageOptions"];
            /** @description Pixels. If only one of `width` and `height` is sent, the other follows from the proportions of the frame (at most 4096); without a frame, it is the same. Without both, the picture is 512 × 512 pixels. */
            width?: number;
            /** @description Pixels; see `width`. */
            height?: number;
            /** @description The quiet zone, in modules. 0 removes it. Default: 4. */
            margin?: number;
            /**
             * @description The format of the picture, if the operation has no `format` field. `jpeg` means the same as `jpg`. Default: `png`.
             * @enum {string}
             */
            returnType?: "png" | "svg" | "jpg" | "jpeg" | "webp";
            /** @description Must not be given: only dynamic codes have it. */
            secure?: unknown;
            /** @description Must not be given: only dynamic codes have it. */
            password?: unknown;
            /** @description Must not be given: only dynamic codes have it. */
            encryption?: unknown;
            /** @description Must not be given: only dynamic codes have it. */
            expiry?: unknown;
            /** @description Must not be given: only dynamic codes have it. */
            expiresAt?: unknown;
            /** @description Must not be given: only dynamic codes have it. */
            maxScans?: unknown;
            /** @description Must not be given: only dynamic codes have it. */
            routingRules?: unknown;
            /** @description Must not be given: only dynamic codes have it. */
            campaign?: unknown;
            /** @description Must not be given: only dynamic codes have it. */
            deepLinkConfig?: unknown;
            /** @description Must not be given: only dynamic codes have it. */
            messages?: unknown;
        };
        GenerateCodeRequest: {
            /**
             * @description The content of the code. For `url`, an absolute http or https URL. For other data types, either the finished payload as a string (`mailto:…`, `WIFI:…`, `BEGIN:VCARD…`, or a bare address or number), or an object from which it is built:
             *
             *     - `wifi`: `{ssid, encryption, password?, hidden?}`. `encryption` is `WPA`, `WEP` or `nopass`. `password` is required unless `encryption` is `nopass`
             *     - `email`: `{to, subject?, body?}`
             *     - `sms`: `{phone, message?}`
             *     - `phone`: `{phone}`
             *     - `geo`: `{latitude, longitude}` in degrees
             *     - `vcard`: `{firstName?, lastName?, phone?, email?, organization?, title?, website?, address?}`, with at least one of `firstName`, `lastName`, `organization`
             *     - `mecard`: `{name, phone?, email?, url?, address?, note?}`
             *     - `vcalendar`: `{title, start, end, location?, description?, timeZone?}`, with times in ISO 8601 and days as `2030-01-31`
             *     - `gs1`: `{gtin?, batch?, serial?, expiry?, elements?, format?, domain?}`, with at least `gtin` or `elements`. `elements` has values by any application identifier, such as `{"01": "09506000134352", "3103": "000195"}`. The object becomes a GS1 Digital Link at `domain` (default: id.gs1.org). In a static code, `format: "element-string"` makes it an element string, whose symbol begins with FNC1. A string is a Digital Link, or an element string: `(01)09506000134352(10)A1`, or with FNC1 as `^` or U+001D. An element string of a dynamic code becomes a Digital Link. The rules of GS1 are enforced: lengths, characters, check digits, codes, and which elements require or exclude each other
             */
            data: string | {
                [key: string]: unknown;
            };
            /**
             * @description The type of the content. Dynamic codes of the types `url` and `gs1` redirect. The other types show the content on a page, with the matching action, such as saving a contact.
             * @default url
             * @enum {string}
             */
            dataType?: "url" | "text" | "email" | "wifi" | "vcard" | "sms" | "phone" | "geo" | "vcalendar" | "mecard" | "gs1";
            /**
             * @description A human-readable label. `null` and `""` clear it.
             * @default null
             */
            name?: string | null;
            /** @description Attribution tags. A scan of `redirectUrl?s={id}` is counted for that source. */
            sources?: {
                /** @description The value in `?s=`: letters, digits and `. _ ~ -`. Unique in the list. */
                id: string;
                /** @description A human-readable name. Default: the `id`. */
                name?: string;
            }[];
            /** @description The protections of the code. Each must be sent together with its field: `password` with `password`, `encrypt` with `encryption`, `expire` with `expiry`. */
            secure?: ("password" | "encrypt" | "expire")[];
            /** @description Scanners must enter it. Stored as an argon2id hash. */
            password?: string;
            /** @description Encrypts the payload before it is stored. The scanner’s browser decrypts it. Neither the payload nor the passphrase is stored. An encrypted code cannot be updated, and has no routing rules, campaign or deep links. */
            encryption?: components["schemas"]["Encryption"];
            /** @description When the code expires, in milliseconds since 1970. Must be in the future. From then on, scans get 410. */
            expiry?: number;
            /** @description When the code expires: ISO 8601 with an offset, a date alone (midnight UTC), or milliseconds since 1970. Must be in the future. From then on, scans get 410. `null` and `""` remove it. Must not be sent together with `expiry`. */
            expiresAt?: (string | number) | null;
            /** @description The scan cap. Once it is reached, further scans get 410. `null` removes the cap. A new number keeps the count so far. Crawlers and link previews do not count. */
            maxScans?: number | null;
            /** @description The first rule whose condition matches decides. `[]` and `null` clear the list. */
            routingRules?: {
                /** @description Analytics are kept by it. Unique in the list. Default: by position, such as `rule-1`. */
                id?: string;
                /** @description Which scans match. All keys that are sent must match, each by one of its values. At least one key is required. */
                condition: {
                    /** @description Countries of the scanner: ISO 3166-1 alpha-2 codes, in upper or lower case. */
                    country?: string[];
                    /** @description Kinds of device. */
                    device?: ("mobile" | "tablet" | "desktop" | "bot")[];
                    /** @description Operating systems. `other` means any other system. */
                    os?: ("other" | "ios" | "android" | "windows" | "macos" | "linux")[];
                };
                /** @description Where matching scans go: an absolute http or https URL. */
                destination: string;
            }[] | null;
            /** @description While `status` is `active`, each scan that no rule matches goes to one variant, drawn by weight. `null` clears it. */
            campaign?: {
                /**
                 * @description If `paused`, scans go to the destination of the code.
                 * @enum {string}
                 */
                status: "active" | "paused";
                /** @description The destinations among which scans are divided. At least one needs a weight above 0. */
                variants: {
                    /** @description Analytics are kept by it. Unique in the list. Default: by position, such as `variant-1`. */
                    id?: string;
                    /** @description A human-readable name. Default: the `id`. */
                    name?: string;
                    /** @description Where scans of this variant go: an absolute http or https URL. */
                    destination: string;
                    /** @description The share of the scans, relative to the weights of the other variants. 0 means no scans. */
                    weight: number;
                }[];
            } | null;
            /** @description Apps to open on iOS and Android. If `url` is https (a universal link or app link), scans are redirected to it. If it has another scheme, scans get a page that tries it and falls back to the store, then to the destination. If no rule matches, the app takes the place of the destination there, also of a campaign’s variant, for which the scan is counted. `appId`, and `package` with `sha256CertFingerprints`, are listed under `/.well-known/` if the operator of the host allows it. `null` clears it. */
            deepLinkConfig?: {
                /** @description The app on iPhones and iPads. */
                ios?: {
                    /** @description The URL that opens the app: https (a universal link), or the app’s own scheme, such as `myapp://open`. */
                    url: string;
                    /** @description Where scanners without the app go: an https URL. Used only if `url` has the app’s own scheme. Default: the destination of the code. */
                    appStoreUrl?: string;
                    /** @description The team id and bundle id, such as `ABCDE12345.com.example.app`, for `apple-app-site-association`. */
                    appId?: string;
                };
                /** @description The app on Android. */
                android?: {
                    /** @description The URL that opens the app: https (an app link), or the app’s own scheme, such as `myapp://open`. */
                    url: string;
                    /** @description Where scanners without the app go: an https URL. Used only if `url` has the app’s own scheme. Default: the destination of the code. */
                    playStoreUrl?: string;
                    /** @description The package name, such as `com.example.app`. Listed in `assetlinks.json` together with the certificates. */
                    package?: string;
                    /** @description The SHA-256 fingerprints of the certificates that sign the app: 32 pairs of hexadecimal digits, separated by colons. Requires `package`. */
                    sha256CertFingerprints?: string[];
                };
            } | null;
            /** @description What people see in place of the code if it is switched off, has expired, or has reached its scan cap: a title, a text and a button. What is not given comes from the branding of the workspace. `null` clears it. */
            messages?: {
                /** @description If the code is switched off. */
                inactive?: {
                    /** @description Replaces the title. */
                    title?: string;
                    /** @description Replaces the text below the title. */
                    text?: string;
                    /** @description The way on, above those of the workspace. */
                    button?: {
                        /** @description The text on the button. */
                        label: string;
                        /** @description Where it leads: an `http:`, `https:`, `mailto:` or `tel:` URL. */
                        url: string;
                    };
                };
                /** @description If it has expired. */
                expired?: {
                    /** @description Replaces the title. */
                    title?: string;
                    /** @description Replaces the text below the title. */
                    text?: string;
                    /** @description The way on, above those of the workspace. */
                    button?: {
                        /** @description The text on the button. */
                        label: string;
                        /** @description Where it leads: an `http:`, `https:`, `mailto:` or `tel:` URL. */
                        url: string;
                    };
                };
                /** @description If its scan cap is reached. */
                capped?: {
                    /** @description Replaces the title. */
                    title?: string;
                    /** @description Replaces the text below the title. */
                    text?: string;
                    /** @description The way on, above those of the workspace. */
                    button?: {
                        /** @description The text on the button. */
                        label: string;
                        /** @description Where it leads: an `http:`, `https:`, `mailto:` or `tel:` URL. */
                        url: string;
                    };
                };
            } | null;
            /**
             * @description A predefined look. Fields that are sent with it override it. It is stored by name: a release that redraws a preset also redraws the codes that use it. Must not be given together with `brandKitId`.
             * @enum {string}
             */
            preset?: "classic" | "soft" | "dots" | "ocean" | "sunset" | "contrast-eyes" | "menu" | "bizcard" | "wifi" | "event" | "boutique" | "cafe";
            /** @description The `kitId` of a brand kit of the workspace, whose look is used. Fields that are sent with it override it. Must not be given together with `preset`. */
            brandKitId?: string;
            /**
             * @description The outline of the whole code. Default: `square`.
             * @enum {string}
             */
            shape?: "square" | "circle";
            /** @description The frame around the code, and its caption. */
            frame?: components["schemas"]["Frame"];
            /** @description How the symbol is encoded. */
            qrOptions?: components["schemas"]["QrOptions"];
            /** @description The modules of the code, except its eyes. */
            dotsOptions?: components["schemas"]["DotsOptions"];
            /** @description The outer rings of the three eyes. */
            cornersSquareOptions?: components["schemas"]["CornersSquareOptions"];
            /** @description The centres of the three eyes. */
            cornersDotOptions?: components["schemas"]["CornersDotOptions"];
            /** @description The background of the code. */
            backgroundOptions?: components["schemas"]["BackgroundOptions"];
            /** @description A logo for the centre, as a data URI or in base64: PNG, JPEG, GIF, WebP or SVG, at most 1 MB. */
            image?: string;
            /** @description How the logo is placed. */
            imageOptions?: components["schemas"]["ImageOptions"];
            /** @description Pixels. If only one of `width` and `height` is sent, the other follows from the proportions of the frame (at most 4096); without a frame, it is the same. Without both, the picture is 512 × 512 pixels. */
            width?: number;
            /** @description Pixels; see `width`. */
            height?: number;
            /** @description The quiet zone, in modules. 0 removes it. Default: 4. */
            margin?: number;
            /**
             * @description The format of the picture, if the operation has no `format` field. `jpeg` means the same as `jpg`. Default: `png`.
             * @enum {string}
             */
            returnType?: "png" | "svg" | "jpg" | "jpeg" | "webp";
            /**
             * @description `static`: the code is rendered and not stored. `dynamic`: the code is stored, and the answer is that of `POST /api/qr/codes`.
             * @default static
             * @enum {string}
             */
            type?: "static" | "dynamic";
        };
        GeneratePublicCodeRequest: {
            /**
             * @description The content of the code. For `url`, an absolute http or https URL. For other data types, either the finished payload as a string (`mailto:…`, `WIFI:…`, `BEGIN:VCARD…`, or a bare address or number), or an object from which it is built:
             *
             *     - `wifi`: `{ssid, encryption, password?, hidden?}`. `encryption` is `WPA`, `WEP` or `nopass`. `password` is required unless `encryption` is `nopass`
             *     - `email`: `{to, subject?, body?}`
             *     - `sms`: `{phone, message?}`
             *     - `phone`: `{phone}`
             *     - `geo`: `{latitude, longitude}` in degrees
             *     - `vcard`: `{firstName?, lastName?, phone?, email?, organization?, title?, website?, address?}`, with at least one of `firstName`, `lastName`, `organization`
             *     - `mecard`: `{name, phone?, email?, url?, address?, note?}`
             *     - `vcalendar`: `{title, start, end, location?, description?, timeZone?}`, with times in ISO 8601 and days as `2030-01-31`
             *     - `gs1`: `{gtin?, batch?, serial?, expiry?, elements?, format?, domain?}`, with at least `gtin` or `elements`. `elements` has values by any application identifier, such as `{"01": "09506000134352", "3103": "000195"}`. The object becomes a GS1 Digital Link at `domain` (default: id.gs1.org). In a static code, `format: "element-string"` makes it an element string, whose symbol begins with FNC1. A string is a Digital Link, or an element string: `(01)09506000134352(10)A1`, or with FNC1 as `^` or U+001D. An element string of a dynamic code becomes a Digital Link. The rules of GS1 are enforced: lengths, characters, check digits, codes, and which elements require or exclude each other
             */
            data: string | {
                [key: string]: unknown;
            };
            /**
             * @description The type of the content. Dynamic codes of the types `url` and `gs1` redirect. The other types show the content on a page, with the matching action, such as saving a contact.
             * @default url
             * @enum {string}
             */
            dataType?: "url" | "text" | "email" | "wifi" | "vcard" | "sms" | "phone" | "geo" | "vcalendar" | "mecard" | "gs1";
            /**
             * @description A human-readable label. `null` and `""` clear it.
             * @default null
             */
            name?: string | null;
            /** @description Attribution tags. A scan of `redirectUrl?s={id}` is counted for that source. */
            sources?: {
                /** @description The value in `?s=`: letters, digits and `. _ ~ -`. Unique in the list. */
                id: string;
                /** @description A human-readable name. Default: the `id`. */
                name?: string;
            }[];
            /**
             * @description A predefined look. Fields that are sent with it override it. It is stored by name: a release that redraws a preset also redraws the codes that use it. Must not be given together with `brandKitId`.
             * @enum {string}
             */
            preset?: "classic" | "soft" | "dots" | "ocean" | "sunset" | "contrast-eyes" | "menu" | "bizcard" | "wifi" | "event" | "boutique" | "cafe";
            /** @description Must not be given: brand kits need an API key. */
            brandKitId?: unknown;
            /**
             * @description The outline of the whole code. Default: `square`.
             * @enum {string}
             */
            shape?: "square" | "circle";
            /** @description The frame around the code, and its caption. */
            frame?: components["schemas"]["Frame"];
            /** @description How the symbol is encoded. */
            qrOptions?: components["schemas"]["QrOptions"];
            /** @description The modules of the code, except its eyes. */
            dotsOptions?: components["schemas"]["DotsOptions"];
            /** @description The outer rings of the three eyes. */
            cornersSquareOptions?: components["schemas"]["CornersSquareOptions"];
            /** @description The centres of the three eyes. */
            cornersDotOptions?: components["schemas"]["CornersDotOptions"];
            /** @description The background of the code. */
            backgroundOptions?: components["schemas"]["BackgroundOptions"];
            /** @description A logo for the centre, as a data URI or in base64: PNG, JPEG, GIF, WebP or SVG, at most 1 MB. */
            image?: string;
            /** @description How the logo is placed. */
            imageOptions?: components["schemas"]["ImageOptions"];
            /** @description Pixels. If only one of `width` and `height` is sent, the other follows from the proportions of the frame (at most 4096); without a frame, it is the same. Without both, the picture is 512 × 512 pixels. */
            width?: number;
            /** @description Pixels; see `width`. */
            height?: number;
            /** @description The quiet zone, in modules. 0 removes it. Default: 4. */
            margin?: number;
            /**
             * @description The format of the picture, if the operation has no `format` field. `jpeg` means the same as `jpg`. Default: `png`.
             * @enum {string}
             */
            returnType?: "png" | "svg" | "jpg" | "jpeg" | "webp";
            /** @description Must not be given: only dynamic codes have it. */
            secure?: unknown;
            /** @description Must not be given: only dynamic codes have it. */
            password?: unknown;
            /** @description Must not be given: only dynamic codes have it. */
            encryption?: unknown;
            /** @description Must not be given: only dynamic codes have it. */
            expiry?: unknown;
            /** @description Must not be given: only dynamic codes have it. */
            expiresAt?: unknown;
            /** @description Must not be given: only dynamic codes have it. */
            maxScans?: unknown;
            /** @description Must not be given: only dynamic codes have it. */
            routingRules?: unknown;
            /** @description Must not be given: only dynamic codes have it. */
            campaign?: unknown;
            /** @description Must not be given: only dynamic codes have it. */
            deepLinkConfig?: unknown;
            /** @description Must not be given: only dynamic codes have it. */
            messages?: unknown;
        };
        CreateCodesInBulkRequest: {
            /**
             * @description The content of the code. For `url`, an absolute http or https URL. For other data types, either the finished payload as a string (`mailto:…`, `WIFI:…`, `BEGIN:VCARD…`, or a bare address or number), or an object from which it is built:
             *
             *     - `wifi`: `{ssid, encryption, password?, hidden?}`. `encryption` is `WPA`, `WEP` or `nopass`. `password` is required unless `encryption` is `nopass`
             *     - `email`: `{to, subject?, body?}`
             *     - `sms`: `{phone, message?}`
             *     - `phone`: `{phone}`
             *     - `geo`: `{latitude, longitude}` in degrees
             *     - `vcard`: `{firstName?, lastName?, phone?, email?, organization?, title?, website?, address?}`, with at least one of `firstName`, `lastName`, `organization`
             *     - `mecard`: `{name, phone?, email?, url?, address?, note?}`
             *     - `vcalendar`: `{title, start, end, location?, description?, timeZone?}`, with times in ISO 8601 and days as `2030-01-31`
             *     - `gs1`: `{gtin?, batch?, serial?, expiry?, elements?, format?, domain?}`, with at least `gtin` or `elements`. `elements` has values by any application identifier, such as `{"01": "09506000134352", "3103": "000195"}`. The object becomes a GS1 Digital Link at `domain` (default: id.gs1.org). In a static code, `format: "element-string"` makes it an element string, whose symbol begins with FNC1. A string is a Digital Link, or an element string: `(01)09506000134352(10)A1`, or with FNC1 as `^` or U+001D. An element string of a dynamic code becomes a Digital Link. The rules of GS1 are enforced: lengths, characters, check digits, codes, and which elements require or exclude each other
             */
            data: string | {
                [key: string]: unknown;
            };
            /**
             * @description The type of the content. Dynamic codes of the types `url` and `gs1` redirect. The other types show the content on a page, with the matching action, such as saving a contact.
             * @default url
             * @enum {string}
             */
            dataType?: "url" | "text" | "email" | "wifi" | "vcard" | "sms" | "phone" | "geo" | "vcalendar" | "mecard" | "gs1";
            /**
             * @description A human-readable label. `null` and `""` clear it.
             * @default null
             */
            name?: string | null;
            /** @description Attribution tags. A scan of `redirectUrl?s={id}` is counted for that source. */
            sources?: {
                /** @description The value in `?s=`: letters, digits and `. _ ~ -`. Unique in the list. */
                id: string;
                /** @description A human-readable name. Default: the `id`. */
                name?: string;
            }[];
            /** @description The protections of the code. Each must be sent together with its field: `password` with `password`, `encrypt` with `encryption`, `expire` with `expiry`. */
            secure?: ("password" | "encrypt" | "expire")[];
            /** @description Scanners must enter it. Stored as an argon2id hash. */
            password?: string;
            /** @description Encrypts the payload before it is stored. The scanner’s browser decrypts it. Neither the payload nor the passphrase is stored. An encrypted code cannot be updated, and has no routing rules, campaign or deep links. */
            encryption?: components["schemas"]["Encryption"];
            /** @description When the code expires, in milliseconds since 1970. Must be in the future. From then on, scans get 410. */
            expiry?: number;
            /** @description When the code expires: ISO 8601 with an offset, a date alone (midnight UTC), or milliseconds since 1970. Must be in the future. From then on, scans get 410. `null` and `""` remove it. Must not be sent together with `expiry`. */
            expiresAt?: (string | number) | null;
            /** @description The scan cap. Once it is reached, further scans get 410. `null` removes the cap. A new number keeps the count so far. Crawlers and link previews do not count. */
            maxScans?: number | null;
            /** @description The first rule whose condition matches decides. `[]` and `null` clear the list. */
            routingRules?: {
                /** @description Analytics are kept by it. Unique in the list. Default: by position, such as `rule-1`. */
                id?: string;
                /** @description Which scans match. All keys that are sent must match, each by one of its values. At least one key is required. */
                condition: {
                    /** @description Countries of the scanner: ISO 3166-1 alpha-2 codes, in upper or lower case. */
                    country?: string[];
                    /** @description Kinds of device. */
                    device?: ("mobile" | "tablet" | "desktop" | "bot")[];
                    /** @description Operating systems. `other` means any other system. */
                    os?: ("other" | "ios" | "android" | "windows" | "macos" | "linux")[];
                };
                /** @description Where matching scans go: an absolute http or https URL. */
                destination: string;
            }[] | null;
            /** @description While `status` is `active`, each scan that no rule matches goes to one variant, drawn by weight. `null` clears it. */
            campaign?: {
                /**
                 * @description If `paused`, scans go to the destination of the code.
                 * @enum {string}
                 */
                status: "active" | "paused";
                /** @description The destinations among which scans are divided. At least one needs a weight above 0. */
                variants: {
                    /** @description Analytics are kept by it. Unique in the list. Default: by position, such as `variant-1`. */
                    id?: string;
                    /** @description A human-readable name. Default: the `id`. */
                    name?: string;
                    /** @description Where scans of this variant go: an absolute http or https URL. */
                    destination: string;
                    /** @description The share of the scans, relative to the weights of the other variants. 0 means no scans. */
                    weight: number;
                }[];
            } | null;
            /** @description Apps to open on iOS and Android. If `url` is https (a universal link or app link), scans are redirected to it. If it has another scheme, scans get a page that tries it and falls back to the store, then to the destination. If no rule matches, the app takes the place of the destination there, also of a campaign’s variant, for which the scan is counted. `appId`, and `package` with `sha256CertFingerprints`, are listed under `/.well-known/` if the operator of the host allows it. `null` clears it. */
            deepLinkConfig?: {
                /** @description The app on iPhones and iPads. */
                ios?: {
                    /** @description The URL that opens the app: https (a universal link), or the app’s own scheme, such as `myapp://open`. */
                    url: string;
                    /** @description Where scanners without the app go: an https URL. Used only if `url` has the app’s own scheme. Default: the destination of the code. */
                    appStoreUrl?: string;
                    /** @description The team id and bundle id, such as `ABCDE12345.com.example.app`, for `apple-app-site-association`. */
                    appId?: string;
                };
                /** @description The app on Android. */
                android?: {
                    /** @description The URL that opens the app: https (an app link), or the app’s own scheme, such as `myapp://open`. */
                    url: string;
                    /** @description Where scanners without the app go: an https URL. Used only if `url` has the app’s own scheme. Default: the destination of the code. */
                    playStoreUrl?: string;
                    /** @description The package name, such as `com.example.app`. Listed in `assetlinks.json` together with the certificates. */
                    package?: string;
                    /** @description The SHA-256 fingerprints of the certificates that sign the app: 32 pairs of hexadecimal digits, separated by colons. Requires `package`. */
                    sha256CertFingerprints?: string[];
                };
            } | null;
            /** @description What people see in place of the code if it is switched off, has expired, or has reached its scan cap: a title, a text and a button. What is not given comes from the branding of the workspace. `null` clears it. */
            messages?: {
                /** @description If the code is switched off. */
                inactive?: {
                    /** @description Replaces the title. */
                    title?: string;
                    /** @description Replaces the text below the title. */
                    text?: string;
                    /** @description The way on, above those of the workspace. */
                    button?: {
                        /** @description The text on the button. */
                        label: string;
                        /** @description Where it leads: an `http:`, `https:`, `mailto:` or `tel:` URL. */
                        url: string;
                    };
                };
                /** @description If it has expired. */
                expired?: {
                    /** @description Replaces the title. */
                    title?: string;
                    /** @description Replaces the text below the title. */
                    text?: string;
                    /** @description The way on, above those of the workspace. */
                    button?: {
                        /** @description The text on the button. */
                        label: string;
                        /** @description Where it leads: an `http:`, `https:`, `mailto:` or `tel:` URL. */
                        url: string;
                    };
                };
                /** @description If its scan cap is reached. */
                capped?: {
                    /** @description Replaces the title. */
                    title?: string;
                    /** @description Replaces the text below the title. */
                    text?: string;
                    /** @description The way on, above those of the workspace. */
                    button?: {
                        /** @description The text on the button. */
                        label: string;
                        /** @description Where it leads: an `http:`, `https:`, `mailto:` or `tel:` URL. */
                        url: string;
                    };
                };
            } | null;
            /**
             * @description A predefined look. Fields that are sent with it override it. It is stored by name: a release that redraws a preset also redraws the codes that use it. Must not be given together with `brandKitId`.
             * @enum {string}
             */
            preset?: "classic" | "soft" | "dots" | "ocean" | "sunset" | "contrast-eyes" | "menu" | "bizcard" | "wifi" | "event" | "boutique" | "cafe";
            /** @description The `kitId` of a brand kit of the workspace, whose look is used. Fields that are sent with it override it. Must not be given together with `preset`. */
            brandKitId?: string;
            /**
             * @description The outline of the whole code. Default: `square`.
             * @enum {string}
             */
            shape?: "square" | "circle";
            /** @description The frame around the code, and its caption. */
            frame?: components["schemas"]["Frame"];
            /** @description How the symbol is encoded. */
            qrOptions?: components["schemas"]["QrOptions"];
            /** @description The modules of the code, except its eyes. */
            dotsOptions?: components["schemas"]["DotsOptions"];
            /** @description The outer rings of the three eyes. */
            cornersSquareOptions?: components["schemas"]["CornersSquareOptions"];
            /** @description The centres of the three eyes. */
            cornersDotOptions?: components["schemas"]["CornersDotOptions"];
            /** @description The background of the code. */
            backgroundOptions?: components["schemas"]["BackgroundOptions"];
            /** @description A logo for the centre. Give its http or https URL: up to 1 MB of PNG, JPEG, GIF, WebP or SVG, which is fetched once and stored with the code. Or give the logo itself as a data URI or in base64, at most 200000 characters. */
            image?: string;
            /** @description How the logo is placed. */
            imageOptions?: components["schemas"]["ImageOptions"];
            /** @description Pixels. If only one of `width` and `height` is sent, the other follows from the proportions of the frame (at most 4096); without a frame, it is the same. Without both, the picture is 512 × 512 pixels. */
            width?: number;
            /** @description Pixels; see `width`. */
            height?: number;
            /** @description The quiet zone, in modules. 0 removes it. Default: 4. */
            margin?: number;
            /**
             * @description The format of the picture, if the operation has no `format` field. `jpeg` means the same as `jpg`. Default: `png`.
             * @enum {string}
             */
            returnType?: "png" | "svg" | "jpg" | "jpeg" | "webp";
            /** @description Identifies the row in the result. Must be unique in the call. */
            uid: string;
        }[];
        UploadCodesRequest: {
            /** @description CSV or XLSX, with a header in its first row, or a list of web addresses. */
            file: string;
            /** @description JSON: the look of all codes, in the fields of a create. A preset or brand kit of a row replaces it. */
            style?: string;
            /**
             * @description The service that the export comes from, if its columns do not show it.
             * @enum {string}
             */
            source?: "waymark" | "shlink" | "yourls" | "kutt" | "bitly";
            /** @description JSON: the names of columns in the sheet, each with its meaning: one of the columns above, or `oldLink`. Example: `{"Web site": "destination", "Label": "name"}`. */
            mapping?: string;
        };
        ReplaceCodesInBulkRequest: {
            /** @description Where scans go from now on. Accepts the same values as `data` when a code of this data type is created. */
            destination?: string | {
                [key: string]: unknown;
            };
            /** @description A human-readable label. `null` and `""` clear it. */
            name?: string | null;
            /**
             * @description `inactive` switches the code off: scans get a page that says so. `active` switches it on again.
             * @enum {string}
             */
            status?: "active" | "inactive";
            /** @description Sets or replaces the password. `null` removes it. */
            password?: string | null;
            /** @description When the code expires: ISO 8601 with an offset, a date alone (midnight UTC), or milliseconds since 1970. Must be in the future. From then on, scans get 410. `null` and `""` remove it. */
            expiresAt?: (string | number) | null;
            /** @description The scan cap. Once it is reached, further scans get 410. `null` removes the cap. A new number keeps the count so far. Crawlers and link previews do not count. */
            maxScans?: number | null;
            /** @description The first rule whose condition matches decides. `[]` and `null` clear the list. */
            routingRules?: {
                /** @description Analytics are kept by it. Unique in the list. Default: by position, such as `rule-1`. */
                id?: string;
                /** @description Which scans match. All keys that are sent must match, each by one of its values. At least one key is required. */
                condition: {
                    /** @description Countries of the scanner: ISO 3166-1 alpha-2 codes, in upper or lower case. */
                    country?: string[];
                    /** @description Kinds of device. */
                    device?: ("mobile" | "tablet" | "desktop" | "bot")[];
                    /** @description Operating systems. `other` means any other system. */
                    os?: ("other" | "ios" | "android" | "windows" | "macos" | "linux")[];
                };
                /** @description Where matching scans go: an absolute http or https URL. */
                destination: string;
            }[] | null;
            /** @description While `status` is `active`, each scan that no rule matches goes to one variant, drawn by weight. `null` clears it. */
            campaign?: {
                /**
                 * @description If `paused`, scans go to the destination of the code.
                 * @enum {string}
                 */
                status: "active" | "paused";
                /** @description The destinations among which scans are divided. At least one needs a weight above 0. */
                variants: {
                    /** @description Analytics are kept by it. Unique in the list. Default: by position, such as `variant-1`. */
                    id?: string;
                    /** @description A human-readable name. Default: the `id`. */
                    name?: string;
                    /** @description Where scans of this variant go: an absolute http or https URL. */
                    destination: string;
                    /** @description The share of the scans, relative to the weights of the other variants. 0 means no scans. */
                    weight: number;
                }[];
            } | null;
            /** @description Apps to open on iOS and Android. If `url` is https (a universal link or app link), scans are redirected to it. If it has another scheme, scans get a page that tries it and falls back to the store, then to the destination. If no rule matches, the app takes the place of the destination there, also of a campaign’s variant, for which the scan is counted. `appId`, and `package` with `sha256CertFingerprints`, are listed under `/.well-known/` if the operator of the host allows it. `null` clears it. */
            deepLinkConfig?: {
                /** @description The app on iPhones and iPads. */
                ios?: {
                    /** @description The URL that opens the app: https (a universal link), or the app’s own scheme, such as `myapp://open`. */
                    url: string;
                    /** @description Where scanners without the app go: an https URL. Used only if `url` has the app’s own scheme. Default: the destination of the code. */
                    appStoreUrl?: string;
                    /** @description The team id and bundle id, such as `ABCDE12345.com.example.app`, for `apple-app-site-association`. */
                    appId?: string;
                };
                /** @description The app on Android. */
                android?: {
                    /** @description The URL that opens the app: https (an app link), or the app’s own scheme, such as `myapp://open`. */
                    url: string;
                    /** @description Where scanners without the app go: an https URL. Used only if `url` has the app’s own scheme. Default: the destination of the code. */
                    playStoreUrl?: string;
                    /** @description The package name, such as `com.example.app`. Listed in `assetlinks.json` together with the certificates. */
                    package?: string;
                    /** @description The SHA-256 fingerprints of the certificates that sign the app: 32 pairs of hexadecimal digits, separated by colons. Requires `package`. */
                    sha256CertFingerprints?: string[];
                };
            } | null;
            /** @description What people see in place of the code if it is switched off, has expired, or has reached its scan cap: a title, a text and a button. What is not given comes from the branding of the workspace. `null` clears it. */
            messages?: {
                /** @description If the code is switched off. */
                inactive?: {
                    /** @description Replaces the title. */
                    title?: string;
                    /** @description Replaces the text below the title. */
                    text?: string;
                    /** @description The way on, above those of the workspace. */
                    button?: {
                        /** @description The text on the button. */
                        label: string;
                        /** @description Where it leads: an `http:`, `https:`, `mailto:` or `tel:` URL. */
                        url: string;
                    };
                };
                /** @description If it has expired. */
                expired?: {
                    /** @description Replaces the title. */
                    title?: string;
                    /** @description Replaces the text below the title. */
                    text?: string;
                    /** @description The way on, above those of the workspace. */
                    button?: {
                        /** @description The text on the button. */
                        label: string;
                        /** @description Where it leads: an `http:`, `https:`, `mailto:` or `tel:` URL. */
                        url: string;
                    };
                };
                /** @description If its scan cap is reached. */
                capped?: {
                    /** @description Replaces the title. */
                    title?: string;
                    /** @description Replaces the text below the title. */
                    text?: string;
                    /** @description The way on, above those of the workspace. */
                    button?: {
                        /** @description The text on the button. */
                        label: string;
                        /** @description Where it leads: an `http:`, `https:`, `mailto:` or `tel:` URL. */
                        url: string;
                    };
                };
            } | null;
            /** @description A predefined look. Fields that are sent with it override it. It is stored by name: a release that redraws a preset also redraws the codes that use it. Must not be given together with `brandKitId`. `null` removes it and changes nothing else. */
            preset?: ("classic" | "soft" | "dots" | "ocean" | "sunset" | "contrast-eyes" | "menu" | "bizcard" | "wifi" | "event" | "boutique" | "cafe") | null;
            /** @description The `kitId` of a brand kit of the workspace, whose look is used. Fields that are sent with it override it. Must not be given together with `preset`. `null` removes it and changes nothing else. */
            brandKitId?: string | null;
            /** @description The outline of the whole code. Default: `square`. `null` removes it and changes nothing else. */
            shape?: ("square" | "circle") | null;
            /** @description The frame around the code, and its caption. `null` removes it and changes nothing else. */
            frame?: components["schemas"]["Frame"] | null;
            /** @description How the symbol is encoded. `null` removes it and changes nothing else. */
            qrOptions?: components["schemas"]["QrOptions"] | null;
            /** @description The modules of the code, except its eyes. `null` removes it and changes nothing else. */
            dotsOptions?: components["schemas"]["DotsOptions"] | null;
            /** @description The outer rings of the three eyes. `null` removes it and changes nothing else. */
            cornersSquareOptions?: components["schemas"]["CornersSquareOptions"] | null;
            /** @description The centres of the three eyes. `null` removes it and changes nothing else. */
            cornersDotOptions?: components["schemas"]["CornersDotOptions"] | null;
            /** @description The background of the code. `null` removes it and changes nothing else. */
            backgroundOptions?: components["schemas"]["BackgroundOptions"] | null;
            /** @description A logo for the centre, as a data URI or in base64: PNG, JPEG, GIF, WebP or SVG, at most 1 MB. `null` removes it and changes nothing else. */
            image?: string | null;
            /** @description How the logo is placed. `null` removes it and changes nothing else. */
            imageOptions?: components["schemas"]["ImageOptions"] | null;
            /** @description Pixels. If only one of `width` and `height` is sent, the other follows from the proportions of the frame (at most 4096); without a frame, it is the same. Without both, the picture is 512 × 512 pixels. `null` removes it and changes nothing else. */
            width?: number | null;
            /** @description Pixels; see `width`. `null` removes it and changes nothing else. */
            height?: number | null;
            /** @description The quiet zone, in modules. 0 removes it. Default: 4. `null` removes it and changes nothing else. */
            margin?: number | null;
            /** @description The format of the picture, if the operation has no `format` field. `jpeg` means the same as `jpg`. Default: `png`. `null` removes it and changes nothing else. */
            returnType?: ("png" | "svg" | "jpg" | "jpeg" | "webp") | null;
            /** @description The id of the code to update. Must be unique in the call. */
            id: string;
            /** @description Identifies the row in the result. Default: the `id`. */
            uid?: string;
        }[] | components["schemas"]["TextReplacement"];
        TextReplacement: {
            /** @description The text to find in `destination`, exactly as it is there. Upper and lower case differ. */
            find: string;
            /** @description The text that replaces every occurrence of `find`. It may be empty. */
            replace: string;
            /** @description The id of a code. Only codes created after it are searched. Send the `nextAfter` of the previous call. */
            after?: string;
            /**
             * @description Whether to only report what would change.
             * @default false
             */
            dryRun?: boolean;
        };
        GenerateCodesInBulkRequest: ({
            /**
             * @description The content of the code. For `url`, an absolute http or https URL. For other data types, either the finished payload as a string (`mailto:…`, `WIFI:…`, `BEGIN:VCARD…`, or a bare address or number), or an object from which it is built:
             *
             *     - `wifi`: `{ssid, encryption, password?, hidden?}`. `encryption` is `WPA`, `WEP` or `nopass`. `password` is required unless `encryption` is `nopass`
             *     - `email`: `{to, subject?, body?}`
             *     - `sms`: `{phone, message?}`
             *     - `phone`: `{phone}`
             *     - `geo`: `{latitude, longitude}` in degrees
             *     - `vcard`: `{firstName?, lastName?, phone?, email?, organization?, title?, website?, address?}`, with at least one of `firstName`, `lastName`, `organization`
             *     - `mecard`: `{name, phone?, email?, url?, address?, note?}`
             *     - `vcalendar`: `{title, start, end, location?, description?, timeZone?}`, with times in ISO 8601 and days as `2030-01-31`
             *     - `gs1`: `{gtin?, batch?, serial?, expiry?, elements?, format?, domain?}`, with at least `gtin` or `elements`. `elements` has values by any application identifier, such as `{"01": "09506000134352", "3103": "000195"}`. The object becomes a GS1 Digital Link at `domain` (default: id.gs1.org). In a static code, `format: "element-string"` makes it an element string, whose symbol begins with FNC1. A string is a Digital Link, or an element string: `(01)09506000134352(10)A1`, or with FNC1 as `^` or U+001D. An element string of a dynamic code becomes a Digital Link. The rules of GS1 are enforced: lengths, characters, check digits, codes, and which elements require or exclude each other
             */
            data: string | {
                [key: string]: unknown;
            };
            /**
             * @description The type of the content. Dynamic codes of the types `url` and `gs1` redirect. The other types show the content on a page, with the matching action, such as saving a contact.
             * @default url
             * @enum {string}
             */
            dataType?: "url" | "text" | "email" | "wifi" | "vcard" | "sms" | "phone" | "geo" | "vcalendar" | "mecard" | "gs1";
            /**
             * @description A human-readable label. `null` and `""` clear it.
             * @default null
             */
            name?: string | null;
            /** @description Attribution tags. A scan of `redirectUrl?s={id}` is counted for that source. */
            sources?: {
                /** @description The value in `?s=`: letters, digits and `. _ ~ -`. Unique in the list. */
                id: string;
                /** @description A human-readable name. Default: the `id`. */
                name?: string;
            }[];
            /**
             * @description A predefined look. Fields that are sent with it override it. It is stored by name: a release that redraws a preset also redraws the codes that use it. Must not be given together with `brandKitId`.
             * @enum {string}
             */
            preset?: "classic" | "soft" | "dots" | "ocean" | "sunset" | "contrast-eyes" | "menu" | "bizcard" | "wifi" | "event" | "boutique" | "cafe";
            /** @description The `kitId` of a brand kit of the workspace, whose look is used. Fields that are sent with it override it. Must not be given together with `preset`. */
            brandKitId?: string;
            /**
             * @description The outline of the whole code. Default: `square`.
             * @enum {string}
             */
            shape?: "square" | "circle";
            /** @description The frame around the code, and its caption. */
            frame?: components["schemas"]["Frame"];
            /** @description How the symbol is encoded. */
            qrOptions?: components["schemas"]["QrOptions"];
            /** @description The modules of the code, except its eyes. */
            dotsOptions?: components["schemas"]["DotsOptions"];
            /** @description The outer rings of the three eyes. */
            cornersSquareOptions?: components["schemas"]["CornersSquareOptions"];
            /** @description The centres of the three eyes. */
            cornersDotOptions?: components["schemas"]["CornersDotOptions"];
            /** @description The background of the code. */
            backgroundOptions?: components["schemas"]["BackgroundOptions"];
            /** @description A logo for the centre: an http or https URL of a PNG, JPEG, GIF, WebP or SVG of at most 1 MB, or the logo itself as a data URI or in base64, at most 200,000 characters. */
            image?: string;
            /** @description How the logo is placed. */
            imageOptions?: components["schemas"]["ImageOptions"];
            /** @description Pixels. If only one of `width` and `height` is sent, the other follows from the proportions of the frame (at most 4096); without a frame, it is the same. Without both, the picture is 512 × 512 pixels. */
            width?: number;
            /** @description Pixels; see `width`. */
            height?: number;
            /** @description The quiet zone, in modules. 0 removes it. Default: 4. */
            margin?: number;
            /**
             * @description The format of the picture, if the operation has no `format` field. `jpeg` means the same as `jpg`. Default: `png`.
             * @enum {string}
             */
            returnType?: "png" | "svg" | "jpg" | "jpeg" | "webp";
            /** @description Must not be given: only dynamic codes have it. */
            secure?: unknown;
            /** @description Must not be given: only dynamic codes have it. */
            password?: unknown;
            /** @description Must not be given: only dynamic codes have it. */
            encryption?: unknown;
            /** @description Must not be given: only dynamic codes have it. */
            expiry?: unknown;
            /** @description Must not be given: only dynamic codes have it. */
            expiresAt?: unknown;
            /** @description Must not be given: only dynamic codes have it. */
            maxScans?: unknown;
            /** @description Must not be given: only dynamic codes have it. */
            routingRules?: unknown;
            /** @description Must not be given: only dynamic codes have it. */
            campaign?: unknown;
            /** @description Must not be given: only dynamic codes have it. */
            deepLinkConfig?: unknown;
            /** @description Must not be given: only dynamic codes have it. */
            messages?: unknown;
            /** @description Identifies the row, and its picture in the zip. Must be unique in the call. */
            uid: string;
        } | {
            /** @description The id of a dynamic code of the workspace. Its picture is drawn in its saved style. */
            id: string;
            /**
             * @description The format of the picture, regardless of the saved `returnType`. Default: `png`.
             * @enum {string}
             */
            returnType?: "png" | "svg" | "jpg" | "jpeg" | "webp" | "pdf";
            /** @description The width in pixels. If only one of `width` and `height` is given, the other follows from the proportions of the frame. Default: the saved size, or 512 if none is saved. */
            width?: number;
            /** @description The height in pixels. See `width`. */
            height?: number;
            /** @description The id of one of the code’s `sources`. Scans of this picture count for it. */
            source?: string;
            /**
             * @description Another name for `returnType`.
             * @enum {string}
             */
            format?: "png" | "svg" | "webp" | "jpg" | "pdf";
            /** @description The pixels of each side, instead of `width` and `height`. */
            size?: number;
            /** @description Identifies the row, and its picture in the zip. Must be unique in the call. */
            uid: string;
        })[];
        CreateLandingPage: {
            /** @description A name for people. Visitors see it if the page has no headline. */
            name: string;
            /**
             * @description If it is `paused`, visitors get a page that says so, with status 404.
             * @enum {string}
             */
            status?: "active" | "paused";
            /** @description The largest line of the page. */
            headline?: string | null;
            /** @description A line below the headline. */
            subheadline?: string | null;
            /** @description Text of any number of lines, shown unchanged. */
            body?: string | null;
            /** @description The large picture at the top: an absolute http or https URL. */
            heroImageUrl?: string | null;
            /** @description A round picture, such as a logo: an absolute http or https URL. A page without a picture has the first letter of its headline instead. */
            avatarUrl?: string | null;
            /** @description The buttons, in their order. `null` empties the list. */
            buttons?: {
                /** @description Letters, digits, hyphens and underscores, unique in the list. If omitted, it is made from the label. */
                id?: string;
                /** @description The text on the button. */
                label: string;
                /** @description Where the button leads: an `http:`, `https:`, `mailto:` or `tel:` URL, without white space, user name or password. */
                destination: string;
                /** @description A smaller line below the label. */
                hint?: string | null;
            }[] | null;
            /** @description Links to profiles, in their order. `null` empties the list. */
            socials?: {
                /** @description Letters, digits, hyphens and underscores, unique in the list. If omitted, it is made from the platform. */
                id?: string;
                /**
                 * @description The platform whose icon is shown. `custom` has its own `label` and, if given, its own `iconUrl`.
                 * @enum {string}
                 */
                platform: "website" | "twitter" | "instagram" | "facebook" | "linkedin" | "youtube" | "tiktok" | "github" | "email" | "whatsapp" | "custom";
                /** @description An absolute http or https URL. For `email`, also an address or a `mailto:` URL. */
                url: string;
                /** @description The text for screen readers. For `custom` it is required, and also shown. Default: the name of the platform. */
                label?: string | null;
                /** @description Only for `custom`: an absolute http or https URL of its icon. */
                iconUrl?: string | null;
            }[] | null;
            /** @description The design and the colours of the page. Colours that are omitted follow the visitor’s light or dark scheme. */
            theme?: {
                /** @description A design with colours, a pair of fonts and forms of its own. `paper`: a printed card, in Playfair Display and Source Serif. `ink`: a poster in one ink, in Inter and JetBrains Mono. `market`: a market stall, in Rubik and Nunito. `noir`: a film at night, dark by day, too, in Bebas Neue and Rubik. The colours below take the place of its own. A blank value is ignored. */
                name?: ("paper" | "ink" | "market" | "noir") | null;
                /** @description The colour of the page, `#rrggbb`. A blank value is ignored. */
                background?: string | null;
                /** @description The colour of the text, `#rrggbb`. If it would be unreadable, a darker or lighter colour of the same hue is used. A blank value is ignored. */
                text?: string | null;
                /** @description The colour of buttons and links, `#rrggbb`. A blank value is ignored. */
                accent?: string | null;
            } | null;
        };
        UpdateLandingPage: {
            /** @description A name for people. Visitors see it if the page has no headline. */
            name?: string;
            /**
             * @description If it is `paused`, visitors get a page that says so, with status 404.
             * @enum {string}
             */
            status?: "active" | "paused";
            /** @description The largest line of the page. */
            headline?: string | null;
            /** @description A line below the headline. */
            subheadline?: string | null;
            /** @description Text of any number of lines, shown unchanged. */
            body?: string | null;
            /** @description The large picture at the top: an absolute http or https URL. */
            heroImageUrl?: string | null;
            /** @description A round picture, such as a logo: an absolute http or https URL. A page without a picture has the first letter of its headline instead. */
            avatarUrl?: string | null;
            /** @description The buttons, in their order. `null` empties the list. */
            buttons?: {
                /** @description Letters, digits, hyphens and underscores, unique in the list. If omitted, it is made from the label. */
                id?: string;
                /** @description The text on the button. */
                label: string;
                /** @description Where the button leads: an `http:`, `https:`, `mailto:` or `tel:` URL, without white space, user name or password. */
                destination: string;
                /** @description A smaller line below the label. */
                hint?: string | null;
            }[] | null;
            /** @description Links to profiles, in their order. `null` empties the list. */
            socials?: {
                /** @description Letters, digits, hyphens and underscores, unique in the list. If omitted, it is made from the platform. */
                id?: string;
                /**
                 * @description The platform whose icon is shown. `custom` has its own `label` and, if given, its own `iconUrl`.
                 * @enum {string}
                 */
                platform: "website" | "twitter" | "instagram" | "facebook" | "linkedin" | "youtube" | "tiktok" | "github" | "email" | "whatsapp" | "custom";
                /** @description An absolute http or https URL. For `email`, also an address or a `mailto:` URL. */
                url: string;
                /** @description The text for screen readers. For `custom` it is required, and also shown. Default: the name of the platform. */
                label?: string | null;
                /** @description Only for `custom`: an absolute http or https URL of its icon. */
                iconUrl?: string | null;
            }[] | null;
            /** @description The design and the colours of the page. Colours that are omitted follow the visitor’s light or dark scheme. */
            theme?: {
                /** @description A design with colours, a pair of fonts and forms of its own. `paper`: a printed card, in Playfair Display and Source Serif. `ink`: a poster in one ink, in Inter and JetBrains Mono. `market`: a market stall, in Rubik and Nunito. `noir`: a film at night, dark by day, too, in Bebas Neue and Rubik. The colours below take the place of its own. A blank value is ignored. */
                name?: ("paper" | "ink" | "market" | "noir") | null;
                /** @description The colour of the page, `#rrggbb`. A blank value is ignored. */
                background?: string | null;
                /** @description The colour of the text, `#rrggbb`. If it would be unreadable, a darker or lighter colour of the same hue is used. A blank value is ignored. */
                text?: string | null;
                /** @description The colour of buttons and links, `#rrggbb`. A blank value is ignored. */
                accent?: string | null;
            } | null;
        };
        LandingPageImageUpload: {
            /**
             * @description `hero`: the picture at the top, in its own proportions. `avatar`: the portrait, cropped to a square.
             * @enum {string}
             */
            kind: "hero" | "avatar";
            /** @description The picture as a data URI, `data:image/jpeg;base64,…`: a PNG, JPEG, GIF or WebP file of at most 5 MB, in base64 without line breaks. */
            dataUrl: string;
        };
        CreateForm: {
            /** @description The title of the form, which visitors see. */
            name: string;
            /**
             * @description If it is `paused`, visitors get a page that says so, with status 404.
             * @enum {string}
             */
            status?: "active" | "paused";
            /** @description Text above the fields. */
            description?: string | null;
            /** @description The fields, in their order. `null` empties the list. */
            fields?: {
                /** @description Letters, digits, hyphens and underscores, unique in the form. If omitted, it is made from the label. Submissions store values by it: keep it as long as the field asks the same question. */
                id?: string;
                /**
                 * @description The input. `text`: one line. `email`: an e-mail address. `phone`: a telephone number. `textarea`: several lines. `select`: one of the `options`, as a list. `radio`: one of the `options`, as buttons. `checkbox`: a tick.
                 * @enum {string}
                 */
                type: "text" | "email" | "phone" | "textarea" | "select" | "radio" | "checkbox";
                /** @description What the field asks for. */
                label: string;
                /** @description The choices, without duplicates. Required for `select` and `radio`, and allowed only for them. All options of a form together have at most 100,000 characters. */
                options?: string[] | null;
                /**
                 * @description Whether the field must be filled in, or the `checkbox` ticked.
                 * @default false
                 */
                required?: boolean;
                /** @description Text beside the field. */
                helpText?: string | null;
                /** @description The text in the empty field. */
                placeholder?: string | null;
                /** @description The largest number of characters that can be entered. Default: 1,000, or 8,000 for `textarea`. */
                maxLength?: number | null;
            }[] | null;
            /** @description Where visitors are sent after they submit the form: an absolute http or https URL. */
            redirectAfterSubmit?: string | null;
            /** @description The text that visitors read after they submit the form, if there is no `redirectAfterSubmit`. A first line of at most 60 characters is the headline. */
            thankYouMessage?: string | null;
            /** @description The text on the button that submits the form. */
            submitLabel?: string | null;
            /** @description The logo above the form: an absolute http or https URL. */
            logoUrl?: string | null;
            /** @description The design and the colours of the page. Colours that are omitted follow the visitor’s light or dark scheme. */
            theme?: {
                /** @description A design with colours, a pair of fonts and forms of its own. `paper`: a printed card, in Playfair Display and Source Serif. `ink`: a poster in one ink, in Inter and JetBrains Mono. `market`: a market stall, in Rubik and Nunito. `noir`: a film at night, dark by day, too, in Bebas Neue and Rubik. The colours below take the place of its own. A blank value is ignored. */
                name?: ("paper" | "ink" | "market" | "noir") | null;
                /** @description The colour of the page, `#rrggbb`. A blank value is ignored. */
                background?: string | null;
                /** @description The colour of the text, `#rrggbb`. If it would be unreadable, a darker or lighter colour of the same hue is used. A blank value is ignored. */
                text?: string | null;
                /** @description The colour of buttons and links, `#rrggbb`. A blank value is ignored. */
                accent?: string | null;
            } | null;
            /** @description Links to profiles, in their order. `null` empties the list. */
            socials?: {
                /** @description Letters, digits, hyphens and underscores, unique in the list. If omitted, it is made from the platform. */
                id?: string;
                /**
                 * @description The platform whose icon is shown. `custom` has its own `label` and, if given, its own `iconUrl`.
                 * @enum {string}
                 */
                platform: "website" | "twitter" | "instagram" | "facebook" | "linkedin" | "youtube" | "tiktok" | "github" | "email" | "whatsapp" | "custom";
                /** @description An absolute http or https URL. For `email`, also an address or a `mailto:` URL. */
                url: string;
                /** @description The text for screen readers. For `custom` it is required, and also shown. Default: the name of the platform. */
                label?: string | null;
                /** @description Only for `custom`: an absolute http or https URL of its icon. */
                iconUrl?: string | null;
            }[] | null;
        };
        UpdateForm: {
            /** @description The title of the form, which visitors see. */
            name?: string;
            /**
             * @description If it is `paused`, visitors get a page that says so, with status 404.
             * @enum {string}
             */
            status?: "active" | "paused";
            /** @description Text above the fields. */
            description?: string | null;
            /** @description The fields, in their order. `null` empties the list. */
            fields?: {
                /** @description Letters, digits, hyphens and underscores, unique in the form. If omitted, it is made from the label. Submissions store values by it: keep it as long as the field asks the same question. */
                id?: string;
                /**
                 * @description The input. `text`: one line. `email`: an e-mail address. `phone`: a telephone number. `textarea`: several lines. `select`: one of the `options`, as a list. `radio`: one of the `options`, as buttons. `checkbox`: a tick.
                 * @enum {string}
                 */
                type: "text" | "email" | "phone" | "textarea" | "select" | "radio" | "checkbox";
                /** @description What the field asks for. */
                label: string;
                /** @description The choices, without duplicates. Required for `select` and `radio`, and allowed only for them. All options of a form together have at most 100,000 characters. */
                options?: string[] | null;
                /**
                 * @description Whether the field must be filled in, or the `checkbox` ticked.
                 * @default false
                 */
                required?: boolean;
                /** @description Text beside the field. */
                helpText?: string | null;
                /** @description The text in the empty field. */
                placeholder?: string | null;
                /** @description The largest number of characters that can be entered. Default: 1,000, or 8,000 for `textarea`. */
                maxLength?: number | null;
            }[] | null;
            /** @description Where visitors are sent after they submit the form: an absolute http or https URL. */
            redirectAfterSubmit?: string | null;
            /** @description The text that visitors read after they submit the form, if there is no `redirectAfterSubmit`. A first line of at most 60 characters is the headline. */
            thankYouMessage?: string | null;
            /** @description The text on the button that submits the form. */
            submitLabel?: string | null;
            /** @description The logo above the form: an absolute http or https URL. */
            logoUrl?: string | null;
            /** @description The design and the colours of the page. Colours that are omitted follow the visitor’s light or dark scheme. */
            theme?: {
                /** @description A design with colours, a pair of fonts and forms of its own. `paper`: a printed card, in Playfair Display and Source Serif. `ink`: a poster in one ink, in Inter and JetBrains Mono. `market`: a market stall, in Rubik and Nunito. `noir`: a film at night, dark by day, too, in Bebas Neue and Rubik. The colours below take the place of its own. A blank value is ignored. */
                name?: ("paper" | "ink" | "market" | "noir") | null;
                /** @description The colour of the page, `#rrggbb`. A blank value is ignored. */
                background?: string | null;
                /** @description The colour of the text, `#rrggbb`. If it would be unreadable, a darker or lighter colour of the same hue is used. A blank value is ignored. */
                text?: string | null;
                /** @description The colour of buttons and links, `#rrggbb`. A blank value is ignored. */
                accent?: string | null;
            } | null;
            /** @description Links to profiles, in their order. `null` empties the list. */
            socials?: {
                /** @description Letters, digits, hyphens and underscores, unique in the list. If omitted, it is made from the platform. */
                id?: string;
                /**
                 * @description The platform whose icon is shown. `custom` has its own `label` and, if given, its own `iconUrl`.
                 * @enum {string}
                 */
                platform: "website" | "twitter" | "instagram" | "facebook" | "linkedin" | "youtube" | "tiktok" | "github" | "email" | "whatsapp" | "custom";
                /** @description An absolute http or https URL. For `email`, also an address or a `mailto:` URL. */
                url: string;
                /** @description The text for screen readers. For `custom` it is required, and also shown. Default: the name of the platform. */
                label?: string | null;
                /** @description Only for `custom`: an absolute http or https URL of its icon. */
                iconUrl?: string | null;
            }[] | null;
        };
        SubmitFormRequest: {
            [key: string]: string;
        };
        CreateMenu: {
            /** @description A name for people. Visitors see it if the menu has no headline. */
            name: string;
            /**
             * @description If it is `paused`, visitors get a page that says so, with status 404.
             * @enum {string}
             */
            status?: "active" | "paused";
            /** @description The largest line of the menu. */
            headline?: string | null;
            /** @description A line below the headline. */
            subheadline?: string | null;
            /** @description Text at the end, such as opening hours. */
            footer?: string | null;
            /** @description The large picture at the top: an absolute http or https URL. */
            heroImageUrl?: string | null;
            /** @description The sections, in their order. `null` empties the list. */
            sections?: {
                /** @description The name of the section. */
                name: string;
                /** @description Text below the name. */
                description?: string | null;
                /** @description The items, in their order. */
                items: {
                    /** @description Letters, digits, hyphens and underscores, unique in the menu. If omitted, it is made from the name. */
                    id?: string;
                    /** @description The name of the item. */
                    name: string;
                    /** @description A description of the item. */
                    description?: string | null;
                    /** @description The price as it is shown, with its currency. */
                    price?: string | null;
                    /**
                     * @description Any values. Suggested: gluten, dairy, eggs, nuts, peanuts, soy, fish, shellfish, sesame, celery, mustard, sulphites, lupin, molluscs. Values are trimmed and lowercased, and duplicates are dropped.
                     * @default []
                     */
                    allergens?: string[] | null;
                    /**
                     * @description Any values. Suggested: vegetarian, vegan, gluten-free, dairy-free, halal, kosher, spicy. Values are trimmed and lowercased, and duplicates are dropped.
                     * @default []
                     */
                    dietary?: string[] | null;
                    /**
                     * @description Tags of the menu’s own categories, by the `id` of the category: `{"wine": ["dry", "red"]}`. Values that the category does not list are accepted, and its filter offers them after the listed ones. Values are trimmed and lowercased.
                     * @default {}
                     */
                    customTags?: {
                        [key: string]: string[];
                    } | null;
                    /** @description A picture of the item: an absolute http or https URL. */
                    imageUrl?: string | null;
                }[];
            }[] | null;
            /** @description Your own kinds of tags, by which visitors can filter. `null` empties the list. */
            tagCategories?: {
                /** @description Letters, digits, hyphens and underscores, unique in the list. If omitted, it is made from the name. Items refer to it in `customTags`. */
                id?: string;
                /** @description The name that visitors see. */
                name: string;
                /** @description The values to choose from, in their order. A value that no item has is not offered. Values are trimmed and lowercased, and duplicates are dropped. */
                values: string[];
            }[] | null;
            /** @description The design and the colours of the page. Colours that are omitted follow the visitor’s light or dark scheme. */
            theme?: {
                /** @description A design with colours, a pair of fonts and forms of its own. `paper`: a printed card, in Playfair Display and Source Serif. `ink`: a poster in one ink, in Inter and JetBrains Mono. `market`: a market stall, in Rubik and Nunito. `noir`: a film at night, dark by day, too, in Bebas Neue and Rubik. The colours below take the place of its own. A blank value is ignored. */
                name?: ("paper" | "ink" | "market" | "noir") | null;
                /** @description The colour of the page, `#rrggbb`. A blank value is ignored. */
                background?: string | null;
                /** @description The colour of the text, `#rrggbb`. If it would be unreadable, a darker or lighter colour of the same hue is used. A blank value is ignored. */
                text?: string | null;
                /** @description The colour of buttons and links, `#rrggbb`. A blank value is ignored. */
                accent?: string | null;
            } | null;
            /** @description The buttons, in their order. `null` empties the list. */
            buttons?: {
                /** @description Letters, digits, hyphens and underscores, unique in the list. If omitted, it is made from the label. */
                id?: string;
                /** @description The text on the button. */
                label: string;
                /** @description Where the button leads: an `http:`, `https:`, `mailto:` or `tel:` URL, without white space, user name or password. */
                destination: string;
                /** @description A smaller line below the label. */
                hint?: string | null;
            }[] | null;
            /** @description Links to profiles, in their order. `null` empties the list. */
            socials?: {
                /** @description Letters, digits, hyphens and underscores, unique in the list. If omitted, it is made from the platform. */
                id?: string;
                /**
                 * @description The platform whose icon is shown. `custom` has its own `label` and, if given, its own `iconUrl`.
                 * @enum {string}
                 */
                platform: "website" | "twitter" | "instagram" | "facebook" | "linkedin" | "youtube" | "tiktok" | "github" | "email" | "whatsapp" | "custom";
                /** @description An absolute http or https URL. For `email`, also an address or a `mailto:` URL. */
                url: string;
                /** @description The text for screen readers. For `custom` it is required, and also shown. Default: the name of the platform. */
                label?: string | null;
                /** @description Only for `custom`: an absolute http or https URL of its icon. */
                iconUrl?: string | null;
            }[] | null;
        };
        UpdateMenu: {
            /** @description A name for people. Visitors see it if the menu has no headline. */
            name?: string;
            /**
             * @description If it is `paused`, visitors get a page that says so, with status 404.
             * @enum {string}
             */
            status?: "active" | "paused";
            /** @description The largest line of the menu. */
            headline?: string | null;
            /** @description A line below the headline. */
            subheadline?: string | null;
            /** @description Text at the end, such as opening hours. */
            footer?: string | null;
            /** @description The large picture at the top: an absolute http or https URL. */
            heroImageUrl?: string | null;
            /** @description The sections, in their order. `null` empties the list. */
            sections?: {
                /** @description The name of the section. */
                name: string;
                /** @description Text below the name. */
                description?: string | null;
                /** @description The items, in their order. */
                items: {
                    /** @description Letters, digits, hyphens and underscores, unique in the menu. If omitted, it is made from the name. */
                    id?: string;
                    /** @description The name of the item. */
                    name: string;
                    /** @description A description of the item. */
                    description?: string | null;
                    /** @description The price as it is shown, with its currency. */
                    price?: string | null;
                    /**
                     * @description Any values. Suggested: gluten, dairy, eggs, nuts, peanuts, soy, fish, shellfish, sesame, celery, mustard, sulphites, lupin, molluscs. Values are trimmed and lowercased, and duplicates are dropped.
                     * @default []
                     */
                    allergens?: string[] | null;
                    /**
                     * @description Any values. Suggested: vegetarian, vegan, gluten-free, dairy-free, halal, kosher, spicy. Values are trimmed and lowercased, and duplicates are dropped.
                     * @default []
                     */
                    dietary?: string[] | null;
                    /**
                     * @description Tags of the menu’s own categories, by the `id` of the category: `{"wine": ["dry", "red"]}`. Values that the category does not list are accepted, and its filter offers them after the listed ones. Values are trimmed and lowercased.
                     * @default {}
                     */
                    customTags?: {
                        [key: string]: string[];
                    } | null;
                    /** @description A picture of the item: an absolute http or https URL. */
                    imageUrl?: string | null;
                }[];
            }[] | null;
            /** @description Your own kinds of tags, by which visitors can filter. `null` empties the list. */
            tagCategories?: {
                /** @description Letters, digits, hyphens and underscores, unique in the list. If omitted, it is made from the name. Items refer to it in `customTags`. */
                id?: string;
                /** @description The name that visitors see. */
                name: string;
                /** @description The values to choose from, in their order. A value that no item has is not offered. Values are trimmed and lowercased, and duplicates are dropped. */
                values: string[];
            }[] | null;
            /** @description The design and the colours of the page. Colours that are omitted follow the visitor’s light or dark scheme. */
            theme?: {
                /** @description A design with colours, a pair of fonts and forms of its own. `paper`: a printed card, in Playfair Display and Source Serif. `ink`: a poster in one ink, in Inter and JetBrains Mono. `market`: a market stall, in Rubik and Nunito. `noir`: a film at night, dark by day, too, in Bebas Neue and Rubik. The colours below take the place of its own. A blank value is ignored. */
                name?: ("paper" | "ink" | "market" | "noir") | null;
                /** @description The colour of the page, `#rrggbb`. A blank value is ignored. */
                background?: string | null;
                /** @description The colour of the text, `#rrggbb`. If it would be unreadable, a darker or lighter colour of the same hue is used. A blank value is ignored. */
                text?: string | null;
                /** @description The colour of buttons and links, `#rrggbb`. A blank value is ignored. */
                accent?: string | null;
            } | null;
            /** @description The buttons, in their order. `null` empties the list. */
            buttons?: {
                /** @description Letters, digits, hyphens and underscores, unique in the list. If omitted, it is made from the label. */
                id?: string;
                /** @description The text on the button. */
                label: string;
                /** @description Where the button leads: an `http:`, `https:`, `mailto:` or `tel:` URL, without white space, user name or password. */
                destination: string;
                /** @description A smaller line below the label. */
                hint?: string | null;
            }[] | null;
            /** @description Links to profiles, in their order. `null` empties the list. */
            socials?: {
                /** @description Letters, digits, hyphens and underscores, unique in the list. If omitted, it is made from the platform. */
                id?: string;
                /**
                 * @description The platform whose icon is shown. `custom` has its own `label` and, if given, its own `iconUrl`.
                 * @enum {string}
                 */
                platform: "website" | "twitter" | "instagram" | "facebook" | "linkedin" | "youtube" | "tiktok" | "github" | "email" | "whatsapp" | "custom";
                /** @description An absolute http or https URL. For `email`, also an address or a `mailto:` URL. */
                url: string;
                /** @description The text for screen readers. For `custom` it is required, and also shown. Default: the name of the platform. */
                label?: string | null;
                /** @description Only for `custom`: an absolute http or https URL of its icon. */
                iconUrl?: string | null;
            }[] | null;
        };
        CreateBrandKit: {
            /** @description A human-readable name. */
            name: string;
            /** @description The colour of the dots, `#rrggbb`. A gradient starts with it. */
            primaryColor: string;
            /** @description The colour behind the code, `#rrggbb`. A gradient starts with it. */
            backgroundColor: string;
            /** @description The shape of a module. Default: `rounded`. */
            dotType?: ("square" | "dots" | "rounded" | "classy" | "classy-rounded" | "extra-rounded") | null;
            /** @description The shape of the outer rings of the eyes. Default: `extra-rounded`. */
            cornerType?: ("square" | "dots" | "rounded" | "classy" | "classy-rounded" | "extra-rounded" | "dot") | null;
            /** @description The shape of the centres of the eyes. Default: the shape of the dots. */
            cornerDotType?: ("dot" | "square" | "rounded" | "extra-rounded" | "classy" | "classy-rounded") | null;
            /** @description An absolute http or https URL of the logo: PNG, JPEG, GIF, WebP or SVG, at most 1 MB, not at a private address. */
            logoUrl?: string | null;
            /** @description The position in the list. The smallest number comes first; kits without a number come last. */
            sortOrder?: number | null;
            /** @description Whether the dots have a gradient, which ends in `gradientColor`. Default: false. */
            gradientEnabled?: boolean | null;
            /** @description Whether the gradient of the dots passes through `gradientMidColor`. Default: false. */
            gradientMidEnabled?: boolean | null;
            /** @description Whether the background has a gradient, which ends in `bgGradientColor2`. Default: false. */
            bgGradientEnabled?: boolean | null;
            /** @description Whether the outer rings of the eyes have a gradient, which ends in `eyeGradientColor2`. Default: false. */
            eyeGradientEnabled?: boolean | null;
            /** @description Whether the centres of the eyes have a gradient, which ends in `eyeDotGradientColor2`. Default: false. */
            eyeDotGradientEnabled?: boolean | null;
            /** @description Whether the background is transparent, instead of `backgroundColor`. Default: false. */
            transparentBg?: boolean | null;
            /** @description Whether the modules behind the logo are omitted. Default: true. */
            logoHideDots?: boolean | null;
            /** @description Whether the caption is in capital letters. Default: false. */
            frameUppercase?: boolean | null;
            /** @description The colour in which the gradient of the dots ends, `#rrggbb`. Without it, `gradientEnabled` has no effect. */
            gradientColor?: string | null;
            /** @description The colour in the middle of the gradient of the dots, `#rrggbb`. */
            gradientMidColor?: string | null;
            /** @description The colour in which the gradient of the background ends, `#rrggbb`. Without it, `bgGradientEnabled` has no effect. */
            bgGradientColor2?: string | null;
            /** @description The colour of the outer rings of the eyes, `#rrggbb`. Default: the colour of the dots. */
            eyeColor?: string | null;
            /** @description The colour in which the gradient of the outer rings of the eyes ends, `#rrggbb`. Without it, `eyeGradientEnabled` has no effect. */
            eyeGradientColor2?: string | null;
            /** @description The colour of the centres of the eyes, `#rrggbb`. Default: the colour of the outer rings. */
            eyeDotColor?: string | null;
            /** @description The colour in which the gradient of the centres of the eyes ends, `#rrggbb`. Without it, `eyeDotGradientEnabled` has no effect. */
            eyeDotGradientColor2?: string | null;
            /** @description The colour of the frame, `#rrggbb`. Default: the colour of the eyes’ outer rings or of the dots, if it is not a gradient; otherwise `#111827`. */
            frameColor?: string | null;
            /** @description The colour of the caption, `#rrggbb`. Default: a colour that is legible on its background. */
            frameTextColor?: string | null;
            /** @description The background inside the frame, `#rrggbb`. Default: the background of the code, or white if that is transparent. */
            frameBgColor?: string | null;
            /** @description The kind of gradient of the dots. Default: `linear`. */
            gradientStyle?: ("linear" | "radial") | null;
            /** @description The kind of gradient of the background. Default: `linear`. */
            bgGradientStyle?: ("linear" | "radial") | null;
            /** @description The kind of gradient of the outer rings of the eyes. Default: `linear`. */
            eyeGradientStyle?: ("linear" | "radial") | null;
            /** @description The kind of gradient of the centres of the eyes. Default: `linear`. */
            eyeDotGradientStyle?: ("linear" | "radial") | null;
            /** @description The direction of the linear gradient of the dots, in degrees: 0 runs from left to right, 90 from top to bottom. Default: 0. */
            gradientRotation?: number | null;
            /** @description The direction of the linear gradient of the background, in degrees: 0 runs from left to right, 90 from top to bottom. Default: 0. */
            bgGradientRotation?: number | null;
            /** @description The direction of the linear gradient of the outer rings of the eyes, in degrees: 0 runs from left to right, 90 from top to bottom. Default: 0. */
            eyeGradientRotation?: number | null;
            /** @description The direction of the linear gradient of the centres of the eyes, in degrees: 0 runs from left to right, 90 from top to bottom. Default: 0. */
            eyeDotGradientRotation?: number | null;
            /** @description How round the corners of the background are: 0 is square, 1 fully rounded. Default: 0. */
            bgRound?: number | null;
            /** @description The longer side of the logo as a fraction of the code’s side without its quiet zone; 0 means no logo. If a logo of this size would hide too much of a code, it is drawn at the largest size at which the code can be read, and `warnings` says so if the size is set. Default: 0.3. */
            logoSize?: number | null;
            /** @description The quiet zone, in modules, rounded to a whole number. 0 removes it. Default: 4. */
            margin?: number | null;
            /** @description The free space around the logo, in modules. Default: 0. */
            logoMargin?: number | null;
            /** @description The outline of the whole code. Default: `square`. */
            shape?: ("square" | "circle") | null;
            /** @description How much of the symbol may be covered or damaged: about 7 % (`L`), 15 % (`M`), 25 % (`Q`) or 30 % (`H`). Default: `M`, or `H` with a logo. */
            errorCorrection?: ("L" | "M" | "Q" | "H") | null;
            /** @description The frame around the code. `none` means no frame and is not stored. */
            frameId?: ("none" | "border" | "scanme" | "banner" | "rounded" | "polaroid" | "phone" | "ticket" | "bubble" | "ribbon") | null;
            /** @description The typeface of the caption. Default: `sans`. */
            frameFont?: ("sans" | "serif" | "mono" | "display" | "rounded") | null;
            /** @description The caption of the frame. Default: `Scan me`. */
            frameText?: string | null;
        };
        UpdateBrandKit: {
            /** @description A human-readable name. */
            name?: string;
            /** @description The colour of the dots, `#rrggbb`. A gradient starts with it. */
            primaryColor?: string;
            /** @description The colour behind the code, `#rrggbb`. A gradient starts with it. */
            backgroundColor?: string;
            /** @description The shape of a module. Default: `rounded`. */
            dotType?: ("square" | "dots" | "rounded" | "classy" | "classy-rounded" | "extra-rounded") | null;
            /** @description The shape of the outer rings of the eyes. Default: `extra-rounded`. */
            cornerType?: ("square" | "dots" | "rounded" | "classy" | "classy-rounded" | "extra-rounded" | "dot") | null;
            /** @description The shape of the centres of the eyes. Default: the shape of the dots. */
            cornerDotType?: ("dot" | "square" | "rounded" | "extra-rounded" | "classy" | "classy-rounded") | null;
            /** @description An absolute http or https URL of the logo: PNG, JPEG, GIF, WebP or SVG, at most 1 MB, not at a private address. */
            logoUrl?: string | null;
            /** @description The position in the list. The smallest number comes first; kits without a number come last. */
            sortOrder?: number | null;
            /** @description Whether the dots have a gradient, which ends in `gradientColor`. Default: false. */
            gradientEnabled?: boolean | null;
            /** @description Whether the gradient of the dots passes through `gradientMidColor`. Default: false. */
            gradientMidEnabled?: boolean | null;
            /** @description Whether the background has a gradient, which ends in `bgGradientColor2`. Default: false. */
            bgGradientEnabled?: boolean | null;
            /** @description Whether the outer rings of the eyes have a gradient, which ends in `eyeGradientColor2`. Default: false. */
            eyeGradientEnabled?: boolean | null;
            /** @description Whether the centres of the eyes have a gradient, which ends in `eyeDotGradientColor2`. Default: false. */
            eyeDotGradientEnabled?: boolean | null;
            /** @description Whether the background is transparent, instead of `backgroundColor`. Default: false. */
            transparentBg?: boolean | null;
            /** @description Whether the modules behind the logo are omitted. Default: true. */
            logoHideDots?: boolean | null;
            /** @description Whether the caption is in capital letters. Default: false. */
            frameUppercase?: boolean | null;
            /** @description The colour in which the gradient of the dots ends, `#rrggbb`. Without it, `gradientEnabled` has no effect. */
            gradientColor?: string | null;
            /** @description The colour in the middle of the gradient of the dots, `#rrggbb`. */
            gradientMidColor?: string | null;
            /** @description The colour in which the gradient of the background ends, `#rrggbb`. Without it, `bgGradientEnabled` has no effect. */
            bgGradientColor2?: string | null;
            /** @description The colour of the outer rings of the eyes, `#rrggbb`. Default: the colour of the dots. */
            eyeColor?: string | null;
            /** @description The colour in which the gradient of the outer rings of the eyes ends, `#rrggbb`. Without it, `eyeGradientEnabled` has no effect. */
            eyeGradientColor2?: string | null;
            /** @description The colour of the centres of the eyes, `#rrggbb`. Default: the colour of the outer rings. */
            eyeDotColor?: string | null;
            /** @description The colour in which the gradient of the centres of the eyes ends, `#rrggbb`. Without it, `eyeDotGradientEnabled` has no effect. */
            eyeDotGradientColor2?: string | null;
            /** @description The colour of the frame, `#rrggbb`. Default: the colour of the eyes’ outer rings or of the dots, if it is not a gradient; otherwise `#111827`. */
            frameColor?: string | null;
            /** @description The colour of the caption, `#rrggbb`. Default: a colour that is legible on its background. */
            frameTextColor?: string | null;
            /** @description The background inside the frame, `#rrggbb`. Default: the background of the code, or white if that is transparent. */
            frameBgColor?: string | null;
            /** @description The kind of gradient of the dots. Default: `linear`. */
            gradientStyle?: ("linear" | "radial") | null;
            /** @description The kind of gradient of the background. Default: `linear`. */
            bgGradientStyle?: ("linear" | "radial") | null;
            /** @description The kind of gradient of the outer rings of the eyes. Default: `linear`. */
            eyeGradientStyle?: ("linear" | "radial") | null;
            /** @description The kind of gradient of the centres of the eyes. Default: `linear`. */
            eyeDotGradientStyle?: ("linear" | "radial") | null;
            /** @description The direction of the linear gradient of the dots, in degrees: 0 runs from left to right, 90 from top to bottom. Default: 0. */
            gradientRotation?: number | null;
            /** @description The direction of the linear gradient of the background, in degrees: 0 runs from left to right, 90 from top to bottom. Default: 0. */
            bgGradientRotation?: number | null;
            /** @description The direction of the linear gradient of the outer rings of the eyes, in degrees: 0 runs from left to right, 90 from top to bottom. Default: 0. */
            eyeGradientRotation?: number | null;
            /** @description The direction of the linear gradient of the centres of the eyes, in degrees: 0 runs from left to right, 90 from top to bottom. Default: 0. */
            eyeDotGradientRotation?: number | null;
            /** @description How round the corners of the background are: 0 is square, 1 fully rounded. Default: 0. */
            bgRound?: number | null;
            /** @description The longer side of the logo as a fraction of the code’s side without its quiet zone; 0 means no logo. If a logo of this size would hide too much of a code, it is drawn at the largest size at which the code can be read, and `warnings` says so if the size is set. Default: 0.3. */
            logoSize?: number | null;
            /** @description The quiet zone, in modules, rounded to a whole number. 0 removes it. Default: 4. */
            margin?: number | null;
            /** @description The free space around the logo, in modules. Default: 0. */
            logoMargin?: number | null;
            /** @description The outline of the whole code. Default: `square`. */
            shape?: ("square" | "circle") | null;
            /** @description How much of the symbol may be covered or damaged: about 7 % (`L`), 15 % (`M`), 25 % (`Q`) or 30 % (`H`). Default: `M`, or `H` with a logo. */
            errorCorrection?: ("L" | "M" | "Q" | "H") | null;
            /** @description The frame around the code. `none` means no frame and is not stored. */
            frameId?: ("none" | "border" | "scanme" | "banner" | "rounded" | "polaroid" | "phone" | "ticket" | "bubble" | "ribbon") | null;
            /** @description The typeface of the caption. Default: `sans`. */
            frameFont?: ("sans" | "serif" | "mono" | "display" | "rounded") | null;
            /** @description The caption of the frame. Default: `Scan me`. */
            frameText?: string | null;
        };
        SetGs1Entry: {
            /** @description A GS1 Digital Link without its host: a primary key with its qualifiers, such as `/01/09506000134352/10/ABC`. It is stored in its canonical form. A path has at most one entry. */
            path: string;
            /** @description What the key identifies, for lists of links. */
            itemDescription: string;
            /** @description The links. At most one is the default. */
            links: {
                /** @description What the link leads to: a link type of the GS1 Web Vocabulary, such as `gs1:pip`, or its full IRI. */
                linkType: string;
                /** @description An absolute http or https URL. The query of a scan is passed on to it. */
                href: string;
                /** @description The text that people read in lists of links. */
                title: string;
                /** @description The languages of the target (BCP 47). If omitted, the target is for all languages. */
                hreflang?: string[];
                /** @description The media type of the target. */
                type?: string;
                /** @description The audience of the link, in your own words: one text or several. `?context=` selects it. */
                context?: string[];
                /** @description Whether the entry leads here if a request asks for nothing else. Default: the first link is the default. */
                default?: boolean;
            }[];
        };
        MintRequest: {
            /** @description A label for your own use. */
            batchName: string;
            /** @description The number of items. */
            count: number;
            /** @description The SKU of the product. It is shown when an item is verified. */
            productSku?: string | null;
            /** @description The name of the product. It is shown when an item is verified. */
            productName?: string | null;
            /** @description The GTIN of the product: 8, 12, 13 or 14 digits, including the check digit. It is stored and shown with 14 digits. With it, the items also have a GS1 Digital Link, and the GTIN belongs to the workspace. */
            gtin?: string | null;
            /** @description The name above the host and in the issued-for line of the verification page. If omitted, the line is a general one. */
            brandName?: string | null;
            /** @description A picture of the product as a data URI, `data:image/jpeg;base64,…`: a PNG, JPEG, GIF or WebP file of at most 5 MB, in base64 without line breaks. Its middle square is shown beside the product name. `null` or an empty text means none. */
            productImage?: string | null;
            /** @description The site of the brand: an http or https URL. The verification page links to it. `null` or an empty text means none. */
            brandUrl?: string | null;
            /** @description Where a buyer can ask the brand: an `http:`, `https:`, `tel:` or `mailto:` URL, for a button on the verification page. If the items are recalled or stolen, it is the first button. `null` or an empty text means none. */
            supportUrl?: string | null;
            /** @description Where a buyer registers the product: an http or https URL. Only the first scan of an item, and further ones by the same device within ten minutes, show this button. `null` or an empty text means none. */
            registerUrl?: string | null;
        };
        UpdateSerializedBatch: {
            /** @description A label for your own use. */
            batchName?: string;
            /** @description A notice about all items of the batch, shown when one is verified: they are `recalled`, or were `stolen`. Items are still claimed, and scans still count. `null` removes it. */
            notice?: ("recalled" | "stolen") | null;
            /** @description A picture of the product as a data URI, `data:image/jpeg;base64,…`: a PNG, JPEG, GIF or WebP file of at most 5 MB, in base64 without line breaks. Its middle square is shown beside the product name. `null` or an empty text means none. */
            productImage?: string | null;
            /** @description The site of the brand: an http or https URL. The verification page links to it. `null` or an empty text means none. */
            brandUrl?: string | null;
            /** @description Where a buyer can ask the brand: an `http:`, `https:`, `tel:` or `mailto:` URL, for a button on the verification page. If the items are recalled or stolen, it is the first button. `null` or an empty text means none. */
            supportUrl?: string | null;
            /** @description Where a buyer registers the product: an http or https URL. Only the first scan of an item, and further ones by the same device within ten minutes, show this button. `null` or an empty text means none. */
            registerUrl?: string | null;
        };
        ImageExportRequest: {
            /**
             * @description The format of the images.
             * @default svg
             * @enum {string}
             */
            format?: "svg" | "png";
            /**
             * @description The content of the codes. `url`: `{qr_host}/v/{itemId}/{signature}`. `gs1`: the GS1 Digital Link `{qr_host}/01/{gtin}/21/{serial}`, for a batch with a `gtin`.
             * @default url
             * @enum {string}
             */
            uriFormat?: "url" | "gs1";
            /**
             * @description A predefined look. Fields that are sent with it override it. It is stored by name: a release that redraws a preset also redraws the codes that use it. Must not be given together with `brandKitId`.
             * @enum {string}
             */
            preset?: "classic" | "soft" | "dots" | "ocean" | "sunset" | "contrast-eyes" | "menu" | "bizcard" | "wifi" | "event" | "boutique" | "cafe";
            /** @description The `kitId` of a brand kit of the workspace, whose look is used. Fields that are sent with it override it. Must not be given together with `preset`. */
            brandKitId?: string;
            /**
             * @description The outline of the whole code. Default: `square`.
             * @enum {string}
             */
            shape?: "square" | "circle";
            /** @description The frame around the code, and its caption. */
            frame?: components["schemas"]["Frame"];
            /** @description How the symbol is encoded. */
            qrOptions?: components["schemas"]["QrOptions"];
            /** @description The modules of the code, except its eyes. */
            dotsOptions?: components["schemas"]["DotsOptions"];
            /** @description The outer rings of the three eyes. */
            cornersSquareOptions?: components["schemas"]["CornersSquareOptions"];
            /** @description The centres of the three eyes. */
            cornersDotOptions?: components["schemas"]["CornersDotOptions"];
            /** @description The background of the code. */
            backgroundOptions?: components["schemas"]["BackgroundOptions"];
            /** @description A logo for the centre, as a data URI or in base64: PNG, JPEG, GIF, WebP or SVG, at most 1 MB. */
            image?: string;
            /** @description How the logo is placed. */
            imageOptions?: components["schemas"]["ImageOptions"];
            /** @description Pixels. If only one of `width` and `height` is sent, the other follows from the proportions of the frame (at most 4096); without a frame, it is the same. Without both, the picture is 512 × 512 pixels. */
            width?: number;
            /** @description Pixels; see `width`. */
            height?: number;
            /** @description The quiet zone, in modules. 0 removes it. Default: 4. */
            margin?: number;
        };
        SheetsRequest: {
            /** @description The page and its labels. */
            layout: {
                /** @description A label sheet on the market, such as `L7160` (A4, 3 × 7 labels of 63.5 × 38.1 mm) or `5160` (letter, 3 × 10 labels of 2⅝ × 1 in). For a `J` number, give the `L` number: its measures are the same. Replaces `page`, `columns`, `rows`, `labelMm`, `marginMm` and `gapMm`. */
                stock?: string;
                /** @description The trimmed page: the name of an upright size, or its sides in millimetres. */
                page?: string | {
                    /** @description The width, in millimetres. */
                    widthMm: number;
                    /** @description The height, in millimetres. */
                    heightMm: number;
                };
                /** @description The number of labels side by side. */
                columns?: number;
                /** @description The number of labels one below the other. A page has at most 2,000 labels. */
                rows?: number;
                /** @description The size of a label. If omitted, the labels share the space that margins and gaps leave. If given, the grid is centred on the page, or starts at the left and top margins if `marginMm` is given. */
                labelMm?: {
                    /** @description The width, in millimetres. */
                    widthMm: number;
                    /** @description The height, in millimetres. */
                    heightMm: number;
                };
                /** @description The free space at the sides of the page, in millimetres: one number, or `{top, right, bottom, left}`. Default: 10 for a page with a name, 0 for others. */
                marginMm?: number | {
                    /**
                     * @description The top margin, in millimetres.
                     * @default 0
                     */
                    top?: number;
                    /**
                     * @description The right margin, in millimetres.
                     * @default 0
                     */
                    right?: number;
                    /**
                     * @description The bottom margin, in millimetres.
                     * @default 0
                     */
                    bottom?: number;
                    /**
                     * @description The left margin, in millimetres.
                     * @default 0
                     */
                    left?: number;
                };
                /** @description The free space between labels, in millimetres: one number, or `{columns, rows}` for the gaps between columns and between rows. */
                gapMm?: number | {
                    /**
                     * @description The gap between two columns, in millimetres.
                     * @default 0
                     */
                    columns?: number;
                    /**
                     * @description The gap between two rows, in millimetres.
                     * @default 0
                     */
                    rows?: number;
                };
                /**
                 * @description The distance of the BleedBox from the TrimBox, in millimetres. If it is more than 0, the page is larger and has crop marks: marks for the trimmed page, and shorter ones for each edge of a label. Nothing is printed in the bleed, since labels are white.
                 * @default 0
                 */
                bleedMm?: number;
                /**
                 * @description The text of each label: one caption, a list of captions from top to bottom, or `false` for none. It is beside the code on labels that are wide enough for it, since the code is larger there, and below the code on others. `gs1` is the human-readable interpretation `(01)…(21)…`, and `serial` the value of AI 21. Both need a batch with a `gtin`. `host` is the name that the address bar shows when the code is verified, so that a buyer can tell that page from a copy. It is small. It is left out if it has no room in type of 4 points, or would make modules smaller than 0.33 mm; then `omittedCaptions` of the response names it.
                 * @default [
                 *       "itemId",
                 *       "host"
                 *     ]
                 */
                captions?: boolean | string | ("itemId" | "serial" | "gs1" | "productName" | "productSku" | "host")[];
            };
            /**
             * @description The content of the codes. `url`: `{qr_host}/v/{itemId}/{signature}`. `gs1`: the GS1 Digital Link `{qr_host}/01/{gtin}/21/{serial}`, for a batch with a `gtin`.
             * @default url
             * @enum {string}
             */
            uriFormat?: "url" | "gs1";
            /** @description The position of the first item on the sheets. Default: 1. */
            from?: number;
            /** @description The position of the last item on the sheets. Default: the last item of the batch. */
            to?: number;
        };
        VerifySerialRequest: {
            /** @description The part of the printed URL after `/v/`. */
            itemId: string;
            /** @description The part after the item id. */
            signature: string;
        };
        CreateWebhook: {
            /** @description Where deliveries are posted: an absolute http or https URL at a public address. With http, anyone on the network path can read and change the deliveries. */
            url: string;
            /** @description The types of events to deliver. `*` stands for all types, including future ones, and must be the only entry. */
            events: ("*" | "scan.created" | "form.submitted" | "qr.created" | "qr.updated" | "qr.deleted" | "serialized.first_scanned" | "serialized.duplicate_scanned" | "domain.verified" | "domain.record_missing" | "domain.switched_off" | "webhook.paused" | "subscription.activated" | "subscription.renewed" | "subscription.cancelled" | "subscription.payment_failed" | "subscription.plan_changed" | "subscription.refunded")[];
            /** @description A note for your own use. `null` or `""` clears it. */
            description?: string | null;
            /** @description Delivers several scans at once, as `scan.created.batch` instead of `scan.created`. Other events are not affected. Requires `scan.created` or `*` in `events`. `null` turns it off. */
            batch?: {
                /** @description A delivery has at most this many scans. */
                maxEvents: number;
                /** @description The first scan of a batch waits at most this many seconds. */
                maxSeconds: number;
            } | null;
            /**
             * @description While it is `paused`, events are kept as long as there is room. They are delivered when it is `active` again.
             * @enum {string}
             */
            status?: "active" | "paused";
        };
        UpdateWebhook: {
            /** @description Where deliveries are posted: an absolute http or https URL at a public address. With http, anyone on the network path can read and change the deliveries. */
            url?: string;
            /** @description The types of events to deliver. `*` stands for all types, including future ones, and must be the only entry. */
            events?: ("*" | "scan.created" | "form.submitted" | "qr.created" | "qr.updated" | "qr.deleted" | "serialized.first_scanned" | "serialized.duplicate_scanned" | "domain.verified" | "domain.record_missing" | "domain.switched_off" | "webhook.paused" | "subscription.activated" | "subscription.renewed" | "subscription.cancelled" | "subscription.payment_failed" | "subscription.plan_changed" | "subscription.refunded")[];
            /** @description A note for your own use. `null` or `""` clears it. */
            description?: string | null;
            /** @description Delivers several scans at once, as `scan.created.batch` instead of `scan.created`. Other events are not affected. Requires `scan.created` or `*` in `events`. `null` turns it off. */
            batch?: {
                /** @description A delivery has at most this many scans. */
                maxEvents: number;
                /** @description The first scan of a batch waits at most this many seconds. */
                maxSeconds: number;
            } | null;
            /**
             * @description While it is `paused`, events are kept as long as there is room. They are delivered when it is `active` again.
             * @enum {string}
             */
            status?: "active" | "paused";
        };
        TestWebhookRequest: {
            /**
             * @description The type of the event. Default: the first type that the webhook follows.
             * @enum {string}
             */
            type?: "scan.created" | "form.submitted" | "qr.created" | "qr.updated" | "qr.deleted" | "serialized.first_scanned" | "serialized.duplicate_scanned" | "domain.verified" | "domain.record_missing" | "domain.switched_off" | "webhook.paused" | "subscription.activated" | "subscription.renewed" | "subscription.cancelled" | "subscription.payment_failed" | "subscription.plan_changed" | "subscription.refunded";
        };
        ReplayWebhook: {
            /** @description The start of the range, included in it: ISO 8601 with an offset, a date alone (midnight UTC), or milliseconds since 1970. */
            from: string | number;
            /** @description The end of the range, not included in it. It must be later than `from`, and within the last 30 days, for which events are kept. A time in the future means now. */
            to: string | number;
            /** @description Only events of these types. Default: the types that the webhook follows now. */
            types?: ("scan.created" | "form.submitted" | "qr.created" | "qr.updated" | "qr.deleted" | "serialized.first_scanned" | "serialized.duplicate_scanned" | "domain.verified" | "domain.record_missing" | "domain.switched_off" | "webhook.paused" | "subscription.activated" | "subscription.renewed" | "subscription.cancelled" | "subscription.payment_failed" | "subscription.plan_changed" | "subscription.refunded")[];
            /**
             * @description `failed`: events whose delivery finally failed. `missed`: events that have no delivery, because they came while the webhook overflowed, or because only another webhook of the workspace followed them. Events that no webhook followed are not kept. `all`: both, and the events that were delivered.
             * @default failed
             * @enum {string}
             */
            which?: "failed" | "missed" | "all";
        };
        SetBranding: {
            /** @description Your name, at the top of each page. */
            name?: string | null;
            /** @description Your logo, beside the name: a data URI, `data:image/png;base64,…`, with a PNG, JPEG, GIF or WebP file of at most 5 MB and 50 megapixels. It is shown 40 pixels high, and at most 192 pixels wide. */
            logo?: string | null;
            /** @description The colour of buttons and links, `#rrggbb`. */
            accent?: string | null;
            /** @description The colour behind everything, `#rrggbb`. */
            background?: string | null;
            /** @description Your website, an http or https URL: pages that lead nowhere have a button to it. */
            url?: string | null;
            /** @description A number to call, without spaces, such as `+4930123456`. */
            phone?: string | null;
            /** @description An address to write to, such as `info@example.com`. */
            email?: string | null;
            /** @description Your own words for messages, in your language. All others are in the visitor’s. */
            texts?: {
                /** @description There is no such code, or no such page. */
                unknown?: {
                    /** @description The headline. If unset, the usual one. */
                    title?: string | null;
                    /** @description The text below the headline, of any number of lines. If unset, the usual one. */
                    text?: string | null;
                } | null;
                /** @description The code is switched off. */
                inactive?: {
                    /** @description The headline. If unset, the usual one. */
                    title?: string | null;
                    /** @description The text below the headline, of any number of lines. If unset, the usual one. */
                    text?: string | null;
                } | null;
                /** @description The code has expired. */
                expired?: {
                    /** @description The headline. If unset, the usual one. */
                    title?: string | null;
                    /** @description The text below the headline, of any number of lines. If unset, the usual one. */
                    text?: string | null;
                } | null;
                /** @description The code has been scanned as often as it may be. */
                capped?: {
                    /** @description The headline. If unset, the usual one. */
                    title?: string | null;
                    /** @description The text below the headline, of any number of lines. If unset, the usual one. */
                    text?: string | null;
                } | null;
                /** @description The code asks for its password. */
                password?: {
                    /** @description The headline. If unset, the usual one. */
                    title?: string | null;
                    /** @description The text below the headline, of any number of lines. If unset, the usual one. */
                    text?: string | null;
                } | null;
            } | null;
        };
        CreateDomain: {
            /** @description A host name such as `go.example.com`, in any case and script. You must control its DNS. */
            domain: string;
            /** @description The part of a short URL before the id of a code: `/`, `/r/` or one segment such as `/go/`. `/r/` always works too. A path that codes were printed with cannot be changed. */
            path?: string;
            /** @description The URL to which `/` of the domain redirects, with 302. `null`: `/` is 404. */
            rootRedirect?: string | null;
            /** @description What pages on the domain show of you, in place of the branding of the workspace (`PUT /api/branding`), with the same fields. It is replaced as a whole. `null`: the branding of the workspace. */
            branding?: components["schemas"]["SetBranding"] | null;
        };
        UpdateDomain: {
            /** @description The part of a short URL before the id of a code: `/`, `/r/` or one segment such as `/go/`. `/r/` always works too. A path that codes were printed with cannot be changed. */
            path?: string;
            /** @description The URL to which `/` of the domain redirects, with 302. `null`: `/` is 404. */
            rootRedirect?: string | null;
            /** @description What pages on the domain show of you, in place of the branding of the workspace (`PUT /api/branding`), with the same fields. It is replaced as a whole. `null`: the branding of the workspace. */
            branding?: components["schemas"]["SetBranding"] | null;
            /** @description Whether new codes are printed with the domain. At most one domain of a workspace is primary. Existing codes do not change. */
            primary?: boolean;
        };
        /** @description An event of Stripe: a snapshot, of any version of its API. Other fields are ignored. */
        TakeStripeEventRequest: {
            /** @description The id of the event. Each event is processed once. */
            id: string;
            /**
             * @description The type of the event.
             * @example customer.subscription.updated
             */
            type: string;
            /** @description The time of the event, in seconds since 1970. An older event never overwrites a newer state. */
            created: number;
            /** @description The content of the event. */
            data: {
                /** @description The object of the event, as documented by Stripe. */
                object: {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        CreatedCode: {
            /** @description The id of the code. It never changes. */
            id: string;
            /**
             * @description The kind of code.
             * @constant
             */
            type: "dynamic";
            /** @description A human-readable label; null if there is none. */
            name: string | null;
            /**
             * @description The type of the content. `url` and `gs1` redirect. The other types show the content on a page, with the matching action, such as saving a contact.
             * @enum {string}
             */
            dataType: "url" | "text" | "email" | "wifi" | "vcard" | "sms" | "phone" | "geo" | "vcalendar" | "mecard" | "gs1";
            /** @description Where the code leads, or its payload. If the code is encrypted, a JWE (RFC 7516) of it. */
            destination: string;
            /** @description The URL that the pattern encodes. Every scan passes through it. */
            redirectUrl: string;
            /**
             * @description `active`: scans are sent on. `inactive`: scans get a page that says that the code is switched off.
             * @enum {string}
             */
            status: "active" | "inactive";
            /** @description Whether the payload is encrypted. */
            encrypted: boolean;
            /** @description Whether scanners must enter a password. */
            passwordProtected: boolean;
            /** @description When the code expires: ISO 8601 in UTC, with a sign and six digits for years after 9999. From then on, scans get 410. Null if the code does not expire. */
            expiresAt: string | null;
            /** @description The scan cap. Once it is reached, further scans get 410. Null if there is no cap. */
            maxScans: number | null;
            /** @description The number of scans so far. Crawlers and link previews are not counted. */
            scanCount: number;
            /** @description The protections of the code. */
            secure: ("password" | "encrypt" | "expire")[];
            /**
             * Format: date-time
             * @description When the code was created: ISO 8601 in UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the code was last changed: ISO 8601 in UTC.
             */
            updatedAt: string;
            /** @description Weaknesses of the style, such as weak colours: readers can read the code, but some may fail. Omitted if there are no weaknesses. */
            readonly warnings?: string[];
        };
        /** @description The body of every response that is not 2xx. */
        Error: {
            /** @description The reason. Names the field, if there is one. */
            error: string;
            /** @description The reason, for programs. New codes may be added. */
            code?: string;
            /** @description Further errors in the request. */
            details?: string[];
            /** @description The id to report to the operator. Present with 500 only. */
            requestId?: string;
            /** @description The feature that the plan does not include, or whose limit is reached. */
            capability?: string;
            /** @description The plans that include the feature. */
            plans?: string[];
            /** @description The limit. */
            limit?: number;
            /** @description How much of the limit is used. */
            used?: number;
            /** @description How much the call needs, if more than 1. */
            requested?: number;
            /** @description How much is left for the call. */
            fits?: number;
        };
        CodeList: {
            /** @description The codes of this page, newest first. */
            data: components["schemas"]["Code"][];
            /** @description This page, and how to get the next page. */
            pagination: {
                /** @description The number of codes that match the filters, on all pages together. */
                total: number;
                /** @description The maximum number of codes in a page. */
                limit: number;
                /** @description The `cursor` of this request; null for the first page. */
                cursor: string | null;
                /** @description The `cursor` for the next page; null on the last page. */
                nextCursor: string | null;
            };
        };
        Code: {
            /** @description The id of the code. It never changes. */
            id: string;
            /**
             * @description The kind of code.
             * @constant
             */
            type: "dynamic";
            /** @description A human-readable label; null if there is none. */
            name: string | null;
            /**
             * @description The type of the content. `url` and `gs1` redirect. The other types show the content on a page, with the matching action, such as saving a contact.
             * @enum {string}
             */
            dataType: "url" | "text" | "email" | "wifi" | "vcard" | "sms" | "phone" | "geo" | "vcalendar" | "mecard" | "gs1";
            /** @description Where the code leads, or its payload. If the code is encrypted, a JWE (RFC 7516) of it. */
            destination: string;
            /** @description The URL that the pattern encodes. Every scan passes through it. */
            redirectUrl: string;
            /**
             * @description `active`: scans are sent on. `inactive`: scans get a page that says that the code is switched off.
             * @enum {string}
             */
            status: "active" | "inactive";
            /** @description Whether the payload is encrypted. */
            encrypted: boolean;
            /** @description Whether scanners must enter a password. */
            passwordProtected: boolean;
            /** @description When the code expires: ISO 8601 in UTC, with a sign and six digits for years after 9999. From then on, scans get 410. Null if the code does not expire. */
            expiresAt: string | null;
            /** @description The scan cap. Once it is reached, further scans get 410. Null if there is no cap. */
            maxScans: number | null;
            /** @description The number of scans so far. Crawlers and link previews are not counted. */
            scanCount: number;
            /** @description The protections of the code. */
            secure: ("password" | "encrypt" | "expire")[];
            /**
             * Format: date-time
             * @description When the code was created: ISO 8601 in UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the code was last changed: ISO 8601 in UTC.
             */
            updatedAt: string;
        };
        CodeWithConfiguration: {
            /** @description The id of the code. It never changes. */
            id: string;
            /**
             * @description The kind of code.
             * @constant
             */
            type: "dynamic";
            /** @description A human-readable label; null if there is none. */
            name: string | null;
            /**
             * @description The type of the content. `url` and `gs1` redirect. The other types show the content on a page, with the matching action, such as saving a contact.
             * @enum {string}
             */
            dataType: "url" | "text" | "email" | "wifi" | "vcard" | "sms" | "phone" | "geo" | "vcalendar" | "mecard" | "gs1";
            /** @description Where the code leads, or its payload. If the code is encrypted, a JWE (RFC 7516) of it. */
            destination: string;
            /** @description The URL that the pattern encodes. Every scan passes through it. */
            redirectUrl: string;
            /**
             * @description `active`: scans are sent on. `inactive`: scans get a page that says that the code is switched off.
             * @enum {string}
             */
            status: "active" | "inactive";
            /** @description Whether the payload is encrypted. */
            encrypted: boolean;
            /** @description Whether scanners must enter a password. */
            passwordProtected: boolean;
            /** @description When the code expires: ISO 8601 in UTC, with a sign and six digits for years after 9999. From then on, scans get 410. Null if the code does not expire. */
            expiresAt: string | null;
            /** @description The scan cap. Once it is reached, further scans get 410. Null if there is no cap. */
            maxScans: number | null;
            /** @description The number of scans so far. Crawlers and link previews are not counted. */
            scanCount: number;
            /** @description The protections of the code. */
            secure: ("password" | "encrypt" | "expire")[];
            /**
             * Format: date-time
             * @description When the code was created: ISO 8601 in UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the code was last changed: ISO 8601 in UTC.
             */
            updatedAt: string;
            /** @description While `status` is `active`, each scan that no rule matches goes to one variant, drawn by weight. Omitted if there is no campaign. */
            campaign?: components["schemas"]["Campaign"];
            /** @description The first rule whose condition matches decides. Omitted if there are no rules. */
            routingRules?: components["schemas"]["RoutingRule"][];
            /** @description Apps to open on iOS and Android. Omitted if there are no apps. */
            deepLinkConfig?: components["schemas"]["DeepLinkConfig"];
            /** @description What people see in place of the code if it leads nowhere. Omitted if nothing is set. */
            messages?: {
                [key: string]: {
                    /** @description Replaces the title. */
                    title?: string;
                    /** @description Replaces the text below the title. */
                    text?: string;
                    /** @description The way on, above those of the workspace. */
                    button?: {
                        /** @description The text on the button. */
                        label: string;
                        /** @description Where it leads. */
                        url: string;
                    };
                };
            };
            /** @description The saved style: the keys that are set. Omitted if no key is set. */
            style?: components["schemas"]["Style"];
            /** @description Attribution tags. A scan of `redirectUrl?s={id}` is counted for that source. Omitted if there are no sources. */
            sources?: {
                /** @description The value in `?s=`. */
                id: string;
                /** @description A human-readable name. */
                name: string;
            }[];
        };
        Campaign: {
            /**
             * @description If `paused`, scans go to the destination of the code.
             * @enum {string}
             */
            status: "active" | "paused";
            /** @description The destinations among which scans are divided. */
            variants: {
                /** @description The id of the variant. Analytics are kept by it. */
                id: string;
                /** @description A human-readable name. */
                name: string;
                /** @description Where scans of this variant go. */
                destination: string;
                /** @description The share of the scans, relative to the weights of the other variants. 0 means no scans. */
                weight: number;
            }[];
        };
        RoutingRule: {
            /** @description The id of the rule. Analytics are kept by it. */
            id: string;
            /** @description Which scans match. All keys must match, each by one of its values. */
            condition: {
                /** @description Countries of the scanner: ISO 3166-1 alpha-2 codes. */
                country?: string[];
                /** @description Kinds of device. */
                device?: ("mobile" | "tablet" | "desktop" | "bot")[];
                /** @description Operating systems. `other` means any other system. */
                os?: ("other" | "ios" | "android" | "windows" | "macos" | "linux")[];
            };
            /** @description Where matching scans go. */
            destination: string;
        };
        DeepLinkConfig: {
            /** @description The app on iPhones and iPads. */
            ios?: {
                /** @description The URL that opens the app. */
                url: string;
                /** @description Where scanners without the app go. Used only if `url` has the app’s own scheme. */
                appStoreUrl?: string;
                /** @description The team id and bundle id, for `apple-app-site-association`. */
                appId?: string;
            };
            /** @description The app on Android. */
            android?: {
                /** @description The URL that opens the app. */
                url: string;
                /** @description Where scanners without the app go. Used only if `url` has the app’s own scheme. */
                playStoreUrl?: string;
                /** @description The package name, for `assetlinks.json`. */
                package?: string;
                /** @description The SHA-256 fingerprints of the certificates that sign the app. */
                sha256CertFingerprints?: string[];
            };
        };
        Style: {
            /**
             * @description A predefined look. Fields that are sent with it override it. It is stored by name: a release that redraws a preset also redraws the codes that use it. Must not be given together with `brandKitId`.
             * @enum {string}
             */
            preset?: "classic" | "soft" | "dots" | "ocean" | "sunset" | "contrast-eyes" | "menu" | "bizcard" | "wifi" | "event" | "boutique" | "cafe";
            /** @description The `kitId` of a brand kit of the workspace, whose look is used. Fields that are sent with it override it. Must not be given together with `preset`. */
            brandKitId?: string;
            /**
             * @description The outline of the whole code. Default: `square`.
             * @enum {string}
             */
            shape?: "square" | "circle";
            /** @description The frame around the code, and its caption. */
            frame?: components["schemas"]["Frame"];
            /** @description How the symbol is encoded. */
            qrOptions?: components["schemas"]["QrOptions"];
            /** @description The modules of the code, except its eyes. */
            dotsOptions?: components["schemas"]["DotsOptions"];
            /** @description The outer rings of the three eyes. */
            cornersSquareOptions?: components["schemas"]["CornersSquareOptions"];
            /** @description The centres of the three eyes. */
            cornersDotOptions?: components["schemas"]["CornersDotOptions"];
            /** @description The background of the code. */
            backgroundOptions?: components["schemas"]["BackgroundOptions"];
            /** @description A logo for the centre, as a data URI or in base64: PNG, JPEG, GIF, WebP or SVG, at most 1 MB. */
            image?: string;
            /** @description How the logo is placed. */
            imageOptions?: components["schemas"]["ImageOptions"];
            /** @description Pixels. If only one of `width` and `height` is sent, the other follows from the proportions of the frame (at most 4096); without a frame, it is the same. Without both, the picture is 512 × 512 pixels. */
            width?: number;
            /** @description Pixels; see `width`. */
            height?: number;
            /** @description The quiet zone, in modules. 0 removes it. Default: 4. */
            margin?: number;
            /**
             * @description The format of the picture, if the operation has no `format` field. `jpeg` means the same as `jpg`. Default: `png`.
             * @enum {string}
             */
            returnType?: "png" | "svg" | "jpg" | "jpeg" | "webp";
        };
        UpdatedCode: {
            /** @description The id of the code. It never changes. */
            id: string;
            /**
             * @description The kind of code.
             * @constant
             */
            type: "dynamic";
            /** @description A human-readable label; null if there is none. */
            name: string | null;
            /**
             * @description The type of the content. `url` and `gs1` redirect. The other types show the content on a page, with the matching action, such as saving a contact.
             * @enum {string}
             */
            dataType: "url" | "text" | "email" | "wifi" | "vcard" | "sms" | "phone" | "geo" | "vcalendar" | "mecard" | "gs1";
            /** @description Where the code leads, or its payload. If the code is encrypted, a JWE (RFC 7516) of it. */
            destination: string;
            /** @description The URL that the pattern encodes. Every scan passes through it. */
            redirectUrl: string;
            /**
             * @description `active`: scans are sent on. `inactive`: scans get a page that says that the code is switched off.
             * @enum {string}
             */
            status: "active" | "inactive";
            /** @description Whether the payload is encrypted. */
            encrypted: boolean;
            /** @description Whether scanners must enter a password. */
            passwordProtected: boolean;
            /** @description When the code expires: ISO 8601 in UTC, with a sign and six digits for years after 9999. From then on, scans get 410. Null if the code does not expire. */
            expiresAt: string | null;
            /** @description The scan cap. Once it is reached, further scans get 410. Null if there is no cap. */
            maxScans: number | null;
            /** @description The number of scans so far. Crawlers and link previews are not counted. */
            scanCount: number;
            /** @description The protections of the code. */
            secure: ("password" | "encrypt" | "expire")[];
            /**
             * Format: date-time
             * @description When the code was created: ISO 8601 in UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the code was last changed: ISO 8601 in UTC.
             */
            updatedAt: string;
            /** @description While `status` is `active`, each scan that no rule matches goes to one variant, drawn by weight. Omitted if there is no campaign. */
            campaign?: components["schemas"]["Campaign"];
            /** @description The first rule whose condition matches decides. Omitted if there are no rules. */
            routingRules?: components["schemas"]["RoutingRule"][];
            /** @description Apps to open on iOS and Android. Omitted if there are no apps. */
            deepLinkConfig?: components["schemas"]["DeepLinkConfig"];
            /** @description What people see in place of the code if it leads nowhere. Omitted if nothing is set. */
            messages?: {
                [key: string]: {
                    /** @description Replaces the title. */
                    title?: string;
                    /** @description Replaces the text below the title. */
                    text?: string;
                    /** @description The way on, above those of the workspace. */
                    button?: {
                        /** @description The text on the button. */
                        label: string;
                        /** @description Where it leads. */
                        url: string;
                    };
                };
            };
            /** @description The saved style: the keys that are set. Omitted if no key is set. */
            style?: components["schemas"]["Style"];
            /** @description Attribution tags. A scan of `redirectUrl?s={id}` is counted for that source. Omitted if there are no sources. */
            sources?: {
                /** @description The value in `?s=`. */
                id: string;
                /** @description A human-readable name. */
                name: string;
            }[];
            /** @description Weaknesses of the style, such as weak colours: readers can read the code, but some may fail. Omitted if there are no weaknesses. */
            readonly warnings?: string[];
        };
        DeactivatedCode: {
            /** @description The id of the code. It never changes. */
            id: string;
            /**
             * @description The kind of code.
             * @constant
             */
            type: "dynamic";
            /** @description A human-readable label; null if there is none. */
            name: string | null;
            /**
             * @description The type of the content. `url` and `gs1` redirect. The other types show the content on a page, with the matching action, such as saving a contact.
             * @enum {string}
             */
            dataType: "url" | "text" | "email" | "wifi" | "vcard" | "sms" | "phone" | "geo" | "vcalendar" | "mecard" | "gs1";
            /** @description Where the code leads, or its payload. If the code is encrypted, a JWE (RFC 7516) of it. */
            destination: string;
            /** @description The URL that the pattern encodes. Every scan passes through it. */
            redirectUrl: string;
            /**
             * @description `active`: scans are sent on. `inactive`: scans get a page that says that the code is switched off.
             * @enum {string}
             */
            status: "active" | "inactive";
            /** @description Whether the payload is encrypted. */
            encrypted: boolean;
            /** @description Whether scanners must enter a password. */
            passwordProtected: boolean;
            /** @description When the code expires: ISO 8601 in UTC, with a sign and six digits for years after 9999. From then on, scans get 410. Null if the code does not expire. */
            expiresAt: string | null;
            /** @description The scan cap. Once it is reached, further scans get 410. Null if there is no cap. */
            maxScans: number | null;
            /** @description The number of scans so far. Crawlers and link previews are not counted. */
            scanCount: number;
            /** @description The protections of the code. */
            secure: ("password" | "encrypt" | "expire")[];
            /**
             * Format: date-time
             * @description When the code was created: ISO 8601 in UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the code was last changed: ISO 8601 in UTC.
             */
            updatedAt: string;
            /** @description A `POST` to it makes the code active again. */
            activateUrl: string;
        };
        CodeAnalytics: {
            /** @description The id of the code. */
            id: string;
            /** @description The length of the window in days. */
            days: number;
            /**
             * Format: date
             * @description The first day of the window.
             */
            from: string;
            /**
             * Format: date
             * @description The last day of the window: today.
             */
            to: string;
            /** @description The IANA time zone of the days. */
            timezone: string;
            /** @description The number of scans in the window. */
            totalScans: number;
            /** @description The number of distinct visitors in the window. Visitors are not recognised across days: a visitor on two days counts twice. */
            uniqueScans: number;
            /** @description Every day of the window, the earliest first. */
            series: {
                /**
                 * Format: date
                 * @description The day.
                 */
                date: string;
                /** @description The number of scans. */
                scans: number;
                /** @description The number of distinct visitors. */
                uniqueScans: number;
            }[];
            /** @description Scans in the window by country: the 250 most frequent values. Scans without one are omitted. */
            countries: {
                /** @description ISO 3166-1 alpha-2. */
                country: string;
                /** @description The number of scans. */
                scans: number;
            }[];
            /** @description Scans in the window by kind of device: the 250 most frequent values. Scans without one are omitted. */
            devices: {
                /** @description The kind of device. */
                device: string;
                /** @description The number of scans. */
                scans: number;
            }[];
            /** @description Scans in the window by operating system: the 250 most frequent values. Scans without one are omitted. */
            os: {
                /** @description The operating system. */
                os: string;
                /** @description The number of scans. */
                scans: number;
            }[];
            /** @description Scans in the window by browser: the 250 most frequent values. Scans without one are omitted. */
            browsers: {
                /** @description The browser. */
                browser: string;
                /** @description The number of scans. */
                scans: number;
            }[];
            /** @description Scans in the window by referring site: the 250 most frequent values. Scans without one are omitted. */
            referrers: {
                /** @description The host of the site. */
                referrer: string;
                /** @description The number of scans. */
                scans: number;
            }[];
            /** @description Scans in the window by source in `?s=`: the 250 most frequent values. Scans without one are omitted. */
            sources: {
                /** @description The id of the source. */
                source: string;
                /** @description The number of scans. */
                scans: number;
            }[];
            /** @description Scans in the window by campaign variant: the 250 most frequent values. Scans without one are omitted. */
            variants: {
                /** @description The id of the variant. */
                variant: string;
                /** @description The number of scans. */
                scans: number;
            }[];
            /** @description Scans in the window by matching routing rule: the 250 most frequent values. Scans without one are omitted. */
            rules: {
                /** @description The id of the rule. */
                rule: string;
                /** @description The number of scans. */
                scans: number;
            }[];
        };
        CodeExplanation: {
            /** @description The id of the code. */
            id: string;
            /** @description When the scan happens: ISO 8601 in UTC. */
            at: string;
            /** @description The scan that is explained. */
            scan: {
                /** @description The country; null if it is unknown. */
                country: string | null;
                /**
                 * @description The kind of device.
                 * @enum {string}
                 */
                device: "mobile" | "tablet" | "desktop" | "bot";
                /**
                 * @description The operating system.
                 * @enum {string}
                 */
                os: "other" | "ios" | "android" | "windows" | "macos" | "linux";
                /** @description Whether the scan is counted, in `scanCount` and towards a cap. Crawlers and link previews are not counted. */
                counts: boolean;
            };
            /** @description What the scanner gets. */
            decision: {
                /**
                 * @description What the scanner gets: a redirect, or a page of this kind.
                 * @enum {string}
                 */
                kind: "inactive" | "expired" | "password" | "encrypted" | "redirect" | "app" | "content" | "capped";
                /** @description Where the scan leads, or the app that is tried. Null for any other page, and if it depends on the variant. */
                location: string | null;
                /** @description Where a page that tries an app leads if the app is not installed. */
                fallback: string | null;
                /** @description The HTTP status of the answer to a browser. */
                status: number;
            };
            /**
             * @description The step that decided.
             * @enum {string}
             */
            decidedBy: "status" | "expiry" | "password" | "encryption" | "routing" | "campaign" | "deepLink" | "destination" | "cap";
            /** @description The id of the routing rule that matched; null if no rule matched. */
            ruleId: string | null;
            /** @description Where each variant of a running campaign leads, and its share of the scans. Empty if the scan reaches no variant. */
            variants: {
                /** @description The id of the variant. */
                id: string;
                /** @description The name of the variant. */
                name: string;
                /** @description The share of the scans, from 0 to 1. */
                share: number;
                /** @description Where the variant leads. Null if no scan reaches it, because its weight is 0 or vanishes beside the others. */
                decision: {
                    /**
                     * @description What the scanner gets: a redirect, or a page of this kind.
                     * @enum {string}
                     */
                    kind: "inactive" | "expired" | "password" | "encrypted" | "redirect" | "app" | "content" | "capped";
                    /** @description Where the scan leads, or the app that is tried. Null for any other page, and if it depends on the variant. */
                    location: string | null;
                    /** @description Where a page that tries an app leads if the app is not installed. */
                    fallback: string | null;
                    /** @description The HTTP status of the answer to a browser. */
                    status: number;
                } | null;
            }[];
            /** @description Every rule that was checked, with the conditions that did not hold. */
            rules: {
                /** @description The id of the rule. */
                id: string;
                /** @description Whether all conditions of the rule hold. */
                matches: boolean;
                /** @description The conditions that do not hold. */
                failed: {
                    /**
                     * @description The condition.
                     * @enum {string}
                     */
                    condition: "country" | "device" | "os";
                    /** @description The values that would match. */
                    wanted: string[];
                    /** @description The value of the scan; null if it is unknown. */
                    found: string | null;
                }[];
            }[];
            /** @description The steps that were taken, up to the step that says where the scan leads. If it leads on, the cap follows, and decides once it is reached. */
            steps: {
                /**
                 * @description The step.
                 * @enum {string}
                 */
                step: "status" | "expiry" | "password" | "encryption" | "routing" | "campaign" | "deepLink" | "destination" | "cap";
                /** @description Whether the step decided. */
                decided: boolean;
                /** @description Why, in words. */
                reason: string;
            }[];
            /** @description How many scans the code allows; null if there is no cap. */
            maxScans: number | null;
            /** @description The present state of the scan cap; null if there is no cap, or if the scan does not reach it. */
            cap: {
                /** @description How many scans the code allows. */
                max: number;
                /** @description How many scans have been used. */
                taken: number;
                /** @description Whether `taken` is the count that redirectors use. If not, it is the number of recorded scans, which may be seconds old. */
                exact: boolean;
            } | null;
        };
        DownloadUrl: {
            /** @description The link. It needs no key. */
            url: string;
            /**
             * @description The format of the picture.
             * @enum {string}
             */
            format: "png" | "svg" | "webp" | "jpg" | "pdf";
            /**
             * Format: date-time
             * @description When the link expires: ISO 8601 in UTC.
             */
            expiresAt: string;
        };
        StaticCode: {
            /**
             * @description The kind of code.
             * @constant
             */
            type: "static";
            /**
             * @description The type of the content.
             * @enum {string}
             */
            dataType: "url" | "text" | "email" | "wifi" | "vcard" | "sms" | "phone" | "geo" | "vcalendar" | "mecard" | "gs1";
            /**
             * @description The format of the picture: `returnType`, with `jpg` for `jpeg`.
             * @enum {string}
             */
            format: "png" | "svg" | "webp" | "jpg" | "pdf";
            /** @description The picture: SVG markup for `svg`, a data URI for all other formats. */
            image: string;
            /** @description Weaknesses of the style, such as weak colours: readers can read the code, but some may fail. Omitted if there are no weaknesses. */
            readonly warnings?: string[];
        };
        BulkOperation: {
            /** @description The id of the bulk operation, `blk_…`. */
            bulkId: string;
            /**
             * @description What is done with the rows.
             * @enum {string}
             */
            kind: "create" | "replace" | "generate";
            /**
             * @description `pending` until the work on the rows begins, `processing` until the last row is done, then `completed`. `failed` if the last step failed. `completed` and `failed` are final.
             * @enum {string}
             */
            status: "pending" | "processing" | "completed" | "failed";
            /** @description The number of rows. */
            total: number;
            /** @description The number of rows done: `succeeded` plus `failed`. */
            processed: number;
            /** @description The number of rows that were done as requested. */
            succeeded: number;
            /** @description The number of rows that were refused. The result says why. */
            failed: number;
            /** @description When it was submitted (ISO 8601). */
            createdAt: string;
            /** @description When it last made progress (ISO 8601). */
            updatedAt: string;
        };
        GetBulkResultResponse: components["schemas"]["BulkResultEntry"][];
        BulkResultEntry: components["schemas"]["BulkRowDone"] | components["schemas"]["BulkRowFailed"];
        /** @description A row that was done as requested. */
        BulkRowDone: {
            /** @description The `uid` of the row. */
            uid: string;
            /**
             * @description What was done. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            status: "created" | "updated" | "unchanged";
            /** @description The id of the code. */
            id: string;
            /** @description The URL that the pattern of the code encodes. */
            redirectUrl: string;
            /** @description Problems with its style. Scanners can read the code nevertheless. Absent if there are none. */
            warnings?: string[];
        };
        /** @description A row that was refused. */
        BulkRowFailed: {
            /** @description The `uid` of the row. */
            uid: string;
            /**
             * @description The row was refused. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            status: "failed";
            /** @description What was wrong. It names the field. */
            message: string;
            /** @description The same for programs, as in the answer to a single create. */
            code: string;
        };
        UploadReport: {
            /** @description The id of the bulk operation, `blk_…`. Null if nothing was submitted. */
            bulkId: string | null;
            /** @description The number of rows in the sheet, without its header. */
            sheetRows: number;
            /** @description The number of rows that are made into codes. */
            submitted: number;
            /** @description The faults of rows that are not valid. A row can have several. */
            invalid: {
                /** @description The number of the row in the sheet. The header is row 1. */
                row: number;
                /** @description The column. Absent if the fault is not about one column. */
                column?: string;
                /** @description What is wrong. */
                message: string;
            }[];
            /** @description What was ignored or guessed. */
            warnings: {
                /** @description The number of the row in the sheet. Absent if the warning is about the whole sheet. */
                row?: number;
                /** @description What may differ from what you intended. */
                message: string;
            }[];
            /**
             * @description The service that the export comes from.
             * @enum {string}
             */
            source?: "waymark" | "shlink" | "yourls" | "kutt" | "bitly";
            /** @description Only with `dryRun`: the rows as they would be created. */
            rows?: {
                /** @description The number of the row in the sheet. */
                row: number;
                /** @description The name of the row in the result. */
                uid: string;
                /** @description The body of its create. A password is shown as `***`, and a logo of more than 200 characters is replaced by its length. */
                body: {
                    [key: string]: unknown;
                };
            }[];
        };
        UploadedBulkOperation: {
            /** @description The id of the bulk operation, `blk_…`. Null if nothing was submitted. */
            bulkId: string | null;
            /**
             * @description What is done with the rows.
             * @enum {string}
             */
            kind: "create" | "replace" | "generate";
            /**
             * @description `pending` until the work on the rows begins, `processing` until the last row is done, then `completed`. `failed` if the last step failed. `completed` and `failed` are final.
             * @enum {string}
             */
            status: "pending" | "processing" | "completed" | "failed";
            /** @description The number of rows. */
            total: number;
            /** @description The number of rows done: `succeeded` plus `failed`. */
            processed: number;
            /** @description The number of rows that were done as requested. */
            succeeded: number;
            /** @description The number of rows that were refused. The result says why. */
            failed: number;
            /** @description When it was submitted (ISO 8601). */
            createdAt: string;
            /** @description When it last made progress (ISO 8601). */
            updatedAt: string;
            /** @description The number of rows in the sheet, without its header. */
            sheetRows: number;
            /** @description The number of rows that are made into codes. */
            submitted: number;
            /** @description The faults of rows that are not valid. A row can have several. */
            invalid: {
                /** @description The number of the row in the sheet. The header is row 1. */
                row: number;
                /** @description The column. Absent if the fault is not about one column. */
                column?: string;
                /** @description What is wrong. */
                message: string;
            }[];
            /** @description What was ignored or guessed. */
            warnings: {
                /** @description The number of the row in the sheet. Absent if the warning is about the whole sheet. */
                row?: number;
                /** @description What may differ from what you intended. */
                message: string;
            }[];
            /**
             * @description The service that the export comes from.
             * @enum {string}
             */
            source?: "waymark" | "shlink" | "yourls" | "kutt" | "bitly";
        };
        ReplacementDryRun: {
            /** @description How many codes the call would take. */
            total: number;
            /** @description How many more codes contain the text. A call takes the first 1,000 in the order of their creation. */
            remaining: number;
            /** @description The `after` of the next call. Absent if there are no more codes. */
            nextAfter?: string;
            /** @description The change to each code, oldest first. */
            changes: {
                /** @description The id of the code. */
                id: string;
                /** @description Its current destination. */
                destination: string;
                /** @description Its destination after the change. Absent if the change would be refused. */
                newDestination?: string;
                /** @description Why the change would be refused. */
                message?: string;
                /** @description The same for programs. */
                code?: string;
            }[];
        };
        SubmittedReplacement: {
            /** @description The id of the bulk operation, `blk_…`. */
            bulkId: string;
            /**
             * @description What is done with the rows.
             * @enum {string}
             */
            kind: "create" | "replace" | "generate";
            /**
             * @description `pending` until the work on the rows begins, `processing` until the last row is done, then `completed`. `failed` if the last step failed. `completed` and `failed` are final.
             * @enum {string}
             */
            status: "pending" | "processing" | "completed" | "failed";
            /** @description The number of rows. */
            total: number;
            /** @description The number of rows done: `succeeded` plus `failed`. */
            processed: number;
            /** @description The number of rows that were done as requested. */
            succeeded: number;
            /** @description The number of rows that were refused. The result says why. */
            failed: number;
            /** @description When it was submitted (ISO 8601). */
            createdAt: string;
            /** @description When it last made progress (ISO 8601). */
            updatedAt: string;
            /** @description How many more codes contain the text. A call takes the first 1,000 in the order of their creation. */
            remaining?: number;
            /** @description The `after` of the next call. Absent if there are no more codes. */
            nextAfter?: string;
        };
        LandingPageList: {
            /** @description All landing pages of the workspace, newest first. */
            pages: components["schemas"]["LandingPage"][];
        };
        LandingPage: {
            /** @description The id of the page, a part of its address: `{qr_host}/p/{pageId}`. */
            pageId: string;
            /** @description The id of the workspace that it belongs to. */
            workspaceId: string;
            /** @description A name for people. Visitors see it if the page has no headline. */
            name: string;
            /**
             * @description If it is `paused`, visitors get a page that says so, with status 404.
             * @enum {string}
             */
            status: "active" | "paused";
            /** @description The largest line of the page. */
            headline: string | null;
            /** @description A line below the headline. */
            subheadline: string | null;
            /** @description Text of any number of lines, shown unchanged. */
            body: string | null;
            /** @description The large picture at the top: an absolute http or https URL. */
            heroImageUrl: string | null;
            /** @description A round picture, such as a logo: an absolute http or https URL. A page without a picture has the first letter of its headline instead. */
            avatarUrl: string | null;
            /** @description The buttons, in their order. `null` empties the list. */
            buttons: {
                /** @description Letters, digits, hyphens and underscores, unique in the list. If omitted, it is made from the label. */
                id: string;
                /** @description The text on the button. */
                label: string;
                /** @description Where the button leads: an `http:`, `https:`, `mailto:` or `tel:` URL, without white space, user name or password. */
                destination: string;
                /** @description A smaller line below the label. */
                hint?: string;
            }[];
            /** @description Links to profiles, in their order. `null` empties the list. */
            socials: {
                /** @description Letters, digits, hyphens and underscores, unique in the list. If omitted, it is made from the platform. */
                id: string;
                /**
                 * @description The platform whose icon is shown. `custom` has its own `label` and, if given, its own `iconUrl`.
                 * @enum {string}
                 */
                platform: "website" | "twitter" | "instagram" | "facebook" | "linkedin" | "youtube" | "tiktok" | "github" | "email" | "whatsapp" | "custom";
                /** @description An absolute http or https URL. For `email`, also an address or a `mailto:` URL. */
                url: string;
                /** @description The text for screen readers. For `custom` it is required, and also shown. Default: the name of the platform. */
                label?: string;
                /** @description Only for `custom`: an absolute http or https URL of its icon. */
                iconUrl?: string;
            }[];
            /** @description The design and the colours of the page. Colours that are omitted follow the visitor’s light or dark scheme. */
            theme: {
                /**
                 * @description A design with colours, a pair of fonts and forms of its own. `paper`: a printed card, in Playfair Display and Source Serif. `ink`: a poster in one ink, in Inter and JetBrains Mono. `market`: a market stall, in Rubik and Nunito. `noir`: a film at night, dark by day, too, in Bebas Neue and Rubik. The colours below take the place of its own. A blank value is ignored.
                 * @enum {string}
                 */
                name?: "paper" | "ink" | "market" | "noir";
                /** @description The colour of the page, `#rrggbb`. A blank value is ignored. */
                background?: string;
                /** @description The colour of the text, `#rrggbb`. If it would be unreadable, a darker or lighter colour of the same hue is used. A blank value is ignored. */
                text?: string;
                /** @description The colour of buttons and links, `#rrggbb`. A blank value is ignored. */
                accent?: string;
            };
            /** @description How often people have viewed it. Crawlers, link previews and `HEAD` do not count. A view is counted within a second or two. */
            viewCount: number;
            /** @description When it was created, in milliseconds since 1970. */
            createdAt: number;
            /** @description When it was last changed, in milliseconds since 1970. It grows with each change. */
            updatedAt: number;
        };
        LandingPageImage: {
            /**
             * @description The `kind` that was sent.
             * @enum {string}
             */
            kind: "hero" | "avatar";
            /** @description The URL of the picture as a JPEG, which every client can show. It is stored in the page, and the picture at this URL never changes. */
            url: string;
        };
        FormList: {
            /** @description All forms of the workspace, newest first. */
            forms: components["schemas"]["Form"][];
        };
        Form: {
            /** @description The id of the form, a part of its address: `{qr_host}/f/{formId}`. */
            formId: string;
            /** @description The id of the workspace that it belongs to. */
            workspaceId: string;
            /** @description The title of the form, which visitors see. */
            name: string;
            /** @description Text above the fields. */
            description: string | null;
            /** @description The fields, in their order. `null` empties the list. */
            fields: {
                /** @description Letters, digits, hyphens and underscores, unique in the form. If omitted, it is made from the label. Submissions store values by it: keep it as long as the field asks the same question. */
                id: string;
                /**
                 * @description The input. `text`: one line. `email`: an e-mail address. `phone`: a telephone number. `textarea`: several lines. `select`: one of the `options`, as a list. `radio`: one of the `options`, as buttons. `checkbox`: a tick.
                 * @enum {string}
                 */
                type: "text" | "email" | "phone" | "textarea" | "select" | "radio" | "checkbox";
                /** @description What the field asks for. */
                label: string;
                /** @description The choices, without duplicates. Required for `select` and `radio`, and allowed only for them. All options of a form together have at most 100,000 characters. */
                options?: string[];
                /** @description Whether the field must be filled in, or the `checkbox` ticked. */
                required: boolean;
                /** @description Text beside the field. */
                helpText?: string;
                /** @description The text in the empty field. */
                placeholder?: string;
                /** @description The largest number of characters that can be entered. Default: 1,000, or 8,000 for `textarea`. */
                maxLength?: number;
            }[];
            /**
             * @description If it is `paused`, visitors get a page that says so, with status 404.
             * @enum {string}
             */
            status: "active" | "paused";
            /** @description Where visitors are sent after they submit the form: an absolute http or https URL. */
            redirectAfterSubmit: string | null;
            /** @description The text that visitors read after they submit the form, if there is no `redirectAfterSubmit`. A first line of at most 60 characters is the headline. */
            thankYouMessage: string | null;
            /** @description The text on the button that submits the form. */
            submitLabel: string | null;
            /** @description The logo above the form: an absolute http or https URL. */
            logoUrl: string | null;
            /** @description The design and the colours of the page. Colours that are omitted follow the visitor’s light or dark scheme. */
            theme: {
                /**
                 * @description A design with colours, a pair of fonts and forms of its own. `paper`: a printed card, in Playfair Display and Source Serif. `ink`: a poster in one ink, in Inter and JetBrains Mono. `market`: a market stall, in Rubik and Nunito. `noir`: a film at night, dark by day, too, in Bebas Neue and Rubik. The colours below take the place of its own. A blank value is ignored.
                 * @enum {string}
                 */
                name?: "paper" | "ink" | "market" | "noir";
                /** @description The colour of the page, `#rrggbb`. A blank value is ignored. */
                background?: string;
                /** @description The colour of the text, `#rrggbb`. If it would be unreadable, a darker or lighter colour of the same hue is used. A blank value is ignored. */
                text?: string;
                /** @description The colour of buttons and links, `#rrggbb`. A blank value is ignored. */
                accent?: string;
            };
            /** @description Links to profiles, in their order. `null` empties the list. */
            socials: {
                /** @description Letters, digits, hyphens and underscores, unique in the list. If omitted, it is made from the platform. */
                id: string;
                /**
                 * @description The platform whose icon is shown. `custom` has its own `label` and, if given, its own `iconUrl`.
                 * @enum {string}
                 */
                platform: "website" | "twitter" | "instagram" | "facebook" | "linkedin" | "youtube" | "tiktok" | "github" | "email" | "whatsapp" | "custom";
                /** @description An absolute http or https URL. For `email`, also an address or a `mailto:` URL. */
                url: string;
                /** @description The text for screen readers. For `custom` it is required, and also shown. Default: the name of the platform. */
                label?: string;
                /** @description Only for `custom`: an absolute http or https URL of its icon. */
                iconUrl?: string;
            }[];
            /** @description The number of stored submissions. */
            submissionCount: number;
            /** @description When it was created, in milliseconds since 1970. */
            createdAt: number;
            /** @description When it was last changed, in milliseconds since 1970. It grows with each change. */
            updatedAt: number;
        };
        FormSubmissionList: {
            /** @description The form as it is now, or as it was when it was deleted. */
            form: {
                /** @description The id of the form, a part of its address: `{qr_host}/f/{formId}`. */
                formId: string;
                /** @description The id of the workspace that it belongs to. */
                workspaceId: string;
                /** @description The title of the form, which visitors see. */
                name: string;
                /** @description Text above the fields. */
                description: string | null;
                /** @description The fields, in their order. `null` empties the list. */
                fields: {
                    /** @description Letters, digits, hyphens and underscores, unique in the form. If omitted, it is made from the label. Submissions store values by it: keep it as long as the field asks the same question. */
                    id: string;
                    /**
                     * @description The input. `text`: one line. `email`: an e-mail address. `phone`: a telephone number. `textarea`: several lines. `select`: one of the `options`, as a list. `radio`: one of the `options`, as buttons. `checkbox`: a tick.
                     * @enum {string}
                     */
                    type: "text" | "email" | "phone" | "textarea" | "select" | "radio" | "checkbox";
                    /** @description What the field asks for. */
                    label: string;
                    /** @description The choices, without duplicates. Required for `select` and `radio`, and allowed only for them. All options of a form together have at most 100,000 characters. */
                    options?: string[];
                    /** @description Whether the field must be filled in, or the `checkbox` ticked. */
                    required: boolean;
                    /** @description Text beside the field. */
                    helpText?: string;
                    /** @description The text in the empty field. */
                    placeholder?: string;
                    /** @description The largest number of characters that can be entered. Default: 1,000, or 8,000 for `textarea`. */
                    maxLength?: number;
                }[];
                /**
                 * @description If it is `paused`, visitors get a page that says so, with status 404. For a form with a `deletedAt`, the status when it was deleted.
                 * @enum {string}
                 */
                status: "active" | "paused";
                /** @description Where visitors are sent after they submit the form: an absolute http or https URL. */
                redirectAfterSubmit: string | null;
                /** @description The text that visitors read after they submit the form, if there is no `redirectAfterSubmit`. A first line of at most 60 characters is the headline. */
                thankYouMessage: string | null;
                /** @description The text on the button that submits the form. */
                submitLabel: string | null;
                /** @description The logo above the form: an absolute http or https URL. */
                logoUrl: string | null;
                /** @description The design and the colours of the page. Colours that are omitted follow the visitor’s light or dark scheme. */
                theme: {
                    /**
                     * @description A design with colours, a pair of fonts and forms of its own. `paper`: a printed card, in Playfair Display and Source Serif. `ink`: a poster in one ink, in Inter and JetBrains Mono. `market`: a market stall, in Rubik and Nunito. `noir`: a film at night, dark by day, too, in Bebas Neue and Rubik. The colours below take the place of its own. A blank value is ignored.
                     * @enum {string}
                     */
                    name?: "paper" | "ink" | "market" | "noir";
                    /** @description The colour of the page, `#rrggbb`. A blank value is ignored. */
                    background?: string;
                    /** @description The colour of the text, `#rrggbb`. If it would be unreadable, a darker or lighter colour of the same hue is used. A blank value is ignored. */
                    text?: string;
                    /** @description The colour of buttons and links, `#rrggbb`. A blank value is ignored. */
                    accent?: string;
                };
                /** @description Links to profiles, in their order. `null` empties the list. */
                socials: {
                    /** @description Letters, digits, hyphens and underscores, unique in the list. If omitted, it is made from the platform. */
                    id: string;
                    /**
                     * @description The platform whose icon is shown. `custom` has its own `label` and, if given, its own `iconUrl`.
                     * @enum {string}
                     */
                    platform: "website" | "twitter" | "instagram" | "facebook" | "linkedin" | "youtube" | "tiktok" | "github" | "email" | "whatsapp" | "custom";
                    /** @description An absolute http or https URL. For `email`, also an address or a `mailto:` URL. */
                    url: string;
                    /** @description The text for screen readers. For `custom` it is required, and also shown. Default: the name of the platform. */
                    label?: string;
                    /** @description Only for `custom`: an absolute http or https URL of its icon. */
                    iconUrl?: string;
                }[];
                /** @description The number of stored submissions. */
                submissionCount: number;
                /** @description When it was created, in milliseconds since 1970. */
                createdAt: number;
                /** @description When it was last changed, in milliseconds since 1970. It grows with each change. */
                updatedAt: number;
                /**
                 * @description Present if the form was deleted and its submissions are still stored.
                 * @constant
                 */
                deleted?: true;
                /** @description When the form was deleted, in epoch milliseconds. Absent if it was not. */
                deletedAt?: number;
            };
            /** @description The size of the submissions of all forms of the workspace, in bytes, including deleted forms. */
            storedBytes: number;
            /** @description The largest size, in bytes. When it is reached, forms accept no more submissions until some are deleted or purged. */
            storedBytesMax: number;
            /** @description All submissions, newest first. */
            submissions: components["schemas"]["FormSubmission"][];
        };
        FormSubmission: {
            /** @description The id of the submission, `subm_…`. */
            submissionId: string;
            /** @description The submitted values by the id of their field, in no particular order. Every field that the form had is present. An empty field is `""`, a checkbox `"true"` or `"false"`. */
            values: {
                [key: string]: string;
            };
            /** @description The IP address of the visitor. */
            ip: string;
            /** @description The `User-Agent` of the browser, at most 512 characters. */
            userAgent: string;
            /** @description The page from which the visitor came to the form, at most 2,000 characters. `""` if unknown. */
            referrer: string;
            /** @description When it was stored, in epoch milliseconds. */
            createdAt: number;
        };
        FormSent: {
            /** @description Where browsers go next: an address relative to the form, or a URL. */
            location: string;
        };
        FormRefused: {
            /** @description Why nothing was stored. */
            error: string;
            /** @description For programs. More codes may be added. */
            code: string;
            /** @description The `_token` for another attempt. Absent if the form itself cannot be read. */
            token?: string;
            /** @description The error in words for the visitor, in the language of the form. Absent if `faults` explain it. */
            notice?: string;
            /** @description What is wrong, field by field. Absent if all values are valid. */
            faults?: {
                /** @description The id of the field. */
                field: string;
                /** @description The label of the field. */
                label: string;
                /** @description What is wrong, in the language of the form. */
                message: string;
            }[];
            /** @description Submitted fields that the form does not have. Absent if there are none. */
            unknownFields?: string[];
            /** @description Milliseconds until `token` works. 0 or absent if it works at once. */
            retryAfterMs?: number;
        };
        MenuList: {
            /** @description All menus of the workspace, most recently changed first. */
            menus: components["schemas"]["Menu"][];
        };
        Menu: {
            /** @description The id of the menu, a part of its address: `{qr_host}/m/{menuId}`. */
            menuId: string;
            /** @description The id of the workspace that it belongs to. */
            workspaceId: string;
            /** @description A name for people. Visitors see it if the menu has no headline. */
            name: string;
            /**
             * @description If it is `paused`, visitors get a page that says so, with status 404.
             * @enum {string}
             */
            status: "active" | "paused";
            /** @description The largest line of the menu. */
            headline: string | null;
            /** @description A line below the headline. */
            subheadline: string | null;
            /** @description Text at the end, such as opening hours. */
            footer: string | null;
            /** @description The large picture at the top: an absolute http or https URL. */
            heroImageUrl: string | null;
            /** @description The sections, in their order. `null` empties the list. */
            sections: {
                /** @description The name of the section. */
                name: string;
                /** @description Text below the name. */
                description?: string;
                /** @description The items, in their order. */
                items: {
                    /** @description Letters, digits, hyphens and underscores, unique in the menu. If omitted, it is made from the name. */
                    id: string;
                    /** @description The name of the item. */
                    name: string;
                    /** @description A description of the item. */
                    description?: string;
                    /** @description The price as it is shown, with its currency. */
                    price?: string;
                    /** @description Any values. Suggested: gluten, dairy, eggs, nuts, peanuts, soy, fish, shellfish, sesame, celery, mustard, sulphites, lupin, molluscs. Values are trimmed and lowercased, and duplicates are dropped. */
                    allergens: string[];
                    /** @description Any values. Suggested: vegetarian, vegan, gluten-free, dairy-free, halal, kosher, spicy. Values are trimmed and lowercased, and duplicates are dropped. */
                    dietary: string[];
                    /** @description Tags of the menu’s own categories, by the `id` of the category: `{"wine": ["dry", "red"]}`. Values that the category does not list are accepted, and its filter offers them after the listed ones. Values are trimmed and lowercased. */
                    customTags: {
                        [key: string]: string[];
                    };
                    /** @description A picture of the item: an absolute http or https URL. */
                    imageUrl?: string;
                }[];
            }[];
            /** @description Your own kinds of tags, by which visitors can filter. `null` empties the list. */
            tagCategories: {
                /** @description Letters, digits, hyphens and underscores, unique in the list. If omitted, it is made from the name. Items refer to it in `customTags`. */
                id: string;
                /** @description The name that visitors see. */
                name: string;
                /** @description The values to choose from, in their order. A value that no item has is not offered. Values are trimmed and lowercased, and duplicates are dropped. */
                values: string[];
            }[];
            /** @description The design and the colours of the page. Colours that are omitted follow the visitor’s light or dark scheme. */
            theme: {
                /**
                 * @description A design with colours, a pair of fonts and forms of its own. `paper`: a printed card, in Playfair Display and Source Serif. `ink`: a poster in one ink, in Inter and JetBrains Mono. `market`: a market stall, in Rubik and Nunito. `noir`: a film at night, dark by day, too, in Bebas Neue and Rubik. The colours below take the place of its own. A blank value is ignored.
                 * @enum {string}
                 */
                name?: "paper" | "ink" | "market" | "noir";
                /** @description The colour of the page, `#rrggbb`. A blank value is ignored. */
                background?: string;
                /** @description The colour of the text, `#rrggbb`. If it would be unreadable, a darker or lighter colour of the same hue is used. A blank value is ignored. */
                text?: string;
                /** @description The colour of buttons and links, `#rrggbb`. A blank value is ignored. */
                accent?: string;
            };
            /** @description The buttons, in their order. `null` empties the list. */
            buttons: {
                /** @description Letters, digits, hyphens and underscores, unique in the list. If omitted, it is made from the label. */
                id: string;
                /** @description The text on the button. */
                label: string;
                /** @description Where the button leads: an `http:`, `https:`, `mailto:` or `tel:` URL, without white space, user name or password. */
                destination: string;
                /** @description A smaller line below the label. */
                hint?: string;
            }[];
            /** @description Links to profiles, in their order. `null` empties the list. */
            socials: {
                /** @description Letters, digits, hyphens and underscores, unique in the list. If omitted, it is made from the platform. */
                id: string;
                /**
                 * @description The platform whose icon is shown. `custom` has its own `label` and, if given, its own `iconUrl`.
                 * @enum {string}
                 */
                platform: "website" | "twitter" | "instagram" | "facebook" | "linkedin" | "youtube" | "tiktok" | "github" | "email" | "whatsapp" | "custom";
                /** @description An absolute http or https URL. For `email`, also an address or a `mailto:` URL. */
                url: string;
                /** @description The text for screen readers. For `custom` it is required, and also shown. Default: the name of the platform. */
                label?: string;
                /** @description Only for `custom`: an absolute http or https URL of its icon. */
                iconUrl?: string;
            }[];
            /** @description How often people have viewed it. Crawlers, link previews and `HEAD` do not count. A view is counted within a second or two. */
            viewCount: number;
            /** @description When it was created, in milliseconds since 1970. */
            createdAt: number;
            /** @description When it was last changed, in milliseconds since 1970. It grows with each change. */
            updatedAt: number;
        };
        BrandKitList: {
            /** @description All kits of the workspace. */
            brandKits: components["schemas"]["BrandKit"][];
        };
        BrandKit: {
            /** @description The id of the kit, for `brandKitId`. */
            kitId: string;
            /** @description The id of the workspace that the kit belongs to. */
            workspaceId: string;
            /** @description A human-readable name. */
            name: string;
            /** @description The id of the API key that created the kit. */
            createdBy: string;
            /** @description The colour of the dots, `#rrggbb`. A gradient starts with it. */
            primaryColor: string;
            /** @description The colour behind the code, `#rrggbb`. A gradient starts with it. */
            backgroundColor: string;
            /**
             * @description The shape of a module. Default: `rounded`.
             * @enum {string}
             */
            dotType?: "square" | "dots" | "rounded" | "classy" | "classy-rounded" | "extra-rounded";
            /**
             * @description The shape of the outer rings of the eyes. Default: `extra-rounded`.
             * @enum {string}
             */
            cornerType?: "square" | "dots" | "rounded" | "classy" | "classy-rounded" | "extra-rounded" | "dot";
            /**
             * @description The shape of the centres of the eyes. Default: the shape of the dots.
             * @enum {string}
             */
            cornerDotType?: "dot" | "square" | "rounded" | "extra-rounded" | "classy" | "classy-rounded";
            /** @description An absolute http or https URL of the logo: PNG, JPEG, GIF, WebP or SVG, at most 1 MB, not at a private address. */
            logoUrl?: string;
            /** @description The position in the list. The smallest number comes first; kits without a number come last. */
            sortOrder?: number;
            /** @description Whether the dots have a gradient, which ends in `gradientColor`. Default: false. */
            gradientEnabled?: boolean;
            /** @description Whether the gradient of the dots passes through `gradientMidColor`. Default: false. */
            gradientMidEnabled?: boolean;
            /** @description Whether the background has a gradient, which ends in `bgGradientColor2`. Default: false. */
            bgGradientEnabled?: boolean;
            /** @description Whether the outer rings of the eyes have a gradient, which ends in `eyeGradientColor2`. Default: false. */
            eyeGradientEnabled?: boolean;
            /** @description Whether the centres of the eyes have a gradient, which ends in `eyeDotGradientColor2`. Default: false. */
            eyeDotGradientEnabled?: boolean;
            /** @description Whether the background is transparent, instead of `backgroundColor`. Default: false. */
            transparentBg?: boolean;
            /** @description Whether the modules behind the logo are omitted. Default: true. */
            logoHideDots?: boolean;
            /** @description Whether the caption is in capital letters. Default: false. */
            frameUppercase?: boolean;
            /** @description The colour in which the gradient of the dots ends, `#rrggbb`. Without it, `gradientEnabled` has no effect. */
            gradientColor?: string;
            /** @description The colour in the middle of the gradient of the dots, `#rrggbb`. */
            gradientMidColor?: string;
            /** @description The colour in which the gradient of the background ends, `#rrggbb`. Without it, `bgGradientEnabled` has no effect. */
            bgGradientColor2?: string;
            /** @description The colour of the outer rings of the eyes, `#rrggbb`. Default: the colour of the dots. */
            eyeColor?: string;
            /** @description The colour in which the gradient of the outer rings of the eyes ends, `#rrggbb`. Without it, `eyeGradientEnabled` has no effect. */
            eyeGradientColor2?: string;
            /** @description The colour of the centres of the eyes, `#rrggbb`. Default: the colour of the outer rings. */
            eyeDotColor?: string;
            /** @description The colour in which the gradient of the centres of the eyes ends, `#rrggbb`. Without it, `eyeDotGradientEnabled` has no effect. */
            eyeDotGradientColor2?: string;
            /** @description The colour of the frame, `#rrggbb`. Default: the colour of the eyes’ outer rings or of the dots, if it is not a gradient; otherwise `#111827`. */
            frameColor?: string;
            /** @description The colour of the caption, `#rrggbb`. Default: a colour that is legible on its background. */
            frameTextColor?: string;
            /** @description The background inside the frame, `#rrggbb`. Default: the background of the code, or white if that is transparent. */
            frameBgColor?: string;
            /**
             * @description The kind of gradient of the dots. Default: `linear`.
             * @enum {string}
             */
            gradientStyle?: "linear" | "radial";
            /**
             * @description The kind of gradient of the background. Default: `linear`.
             * @enum {string}
             */
            bgGradientStyle?: "linear" | "radial";
            /**
             * @description The kind of gradient of the outer rings of the eyes. Default: `linear`.
             * @enum {string}
             */
            eyeGradientStyle?: "linear" | "radial";
            /**
             * @description The kind of gradient of the centres of the eyes. Default: `linear`.
             * @enum {string}
             */
            eyeDotGradientStyle?: "linear" | "radial";
            /** @description The direction of the linear gradient of the dots, in degrees: 0 runs from left to right, 90 from top to bottom. Default: 0. */
            gradientRotation?: number;
            /** @description The direction of the linear gradient of the background, in degrees: 0 runs from left to right, 90 from top to bottom. Default: 0. */
            bgGradientRotation?: number;
            /** @description The direction of the linear gradient of the outer rings of the eyes, in degrees: 0 runs from left to right, 90 from top to bottom. Default: 0. */
            eyeGradientRotation?: number;
            /** @description The direction of the linear gradient of the centres of the eyes, in degrees: 0 runs from left to right, 90 from top to bottom. Default: 0. */
            eyeDotGradientRotation?: number;
            /** @description How round the corners of the background are: 0 is square, 1 fully rounded. Default: 0. */
            bgRound?: number;
            /** @description The longer side of the logo as a fraction of the code’s side without its quiet zone; 0 means no logo. If a logo of this size would hide too much of a code, it is drawn at the largest size at which the code can be read, and `warnings` says so if the size is set. Default: 0.3. */
            logoSize?: number;
            /** @description The quiet zone, in modules, rounded to a whole number. 0 removes it. Default: 4. */
            margin?: number;
            /** @description The free space around the logo, in modules. Default: 0. */
            logoMargin?: number;
            /**
             * @description The outline of the whole code. Default: `square`.
             * @enum {string}
             */
            shape?: "square" | "circle";
            /**
             * @description How much of the symbol may be covered or damaged: about 7 % (`L`), 15 % (`M`), 25 % (`Q`) or 30 % (`H`). Default: `M`, or `H` with a logo.
             * @enum {string}
             */
            errorCorrection?: "L" | "M" | "Q" | "H";
            /**
             * @description The frame around the code. `none` means no frame and is not stored.
             * @enum {string}
             */
            frameId?: "none" | "border" | "scanme" | "banner" | "rounded" | "polaroid" | "phone" | "ticket" | "bubble" | "ribbon";
            /**
             * @description The typeface of the caption. Default: `sans`.
             * @enum {string}
             */
            frameFont?: "sans" | "serif" | "mono" | "display" | "rounded";
            /** @description The caption of the frame. Default: `Scan me`. */
            frameText?: string;
            /** @description When the kit was created, in milliseconds since 1970. */
            createdAt: number;
            /** @description When the kit was last changed, in milliseconds since 1970. */
            updatedAt: number;
        };
        ChangedBrandKit: {
            /** @description The id of the kit, for `brandKitId`. */
            kitId: string;
            /** @description The id of the workspace that the kit belongs to. */
            workspaceId: string;
            /** @description A human-readable name. */
            name: string;
            /** @description The id of the API key that created the kit. */
            createdBy: string;
            /** @description The colour of the dots, `#rrggbb`. A gradient starts with it. */
            primaryColor: string;
            /** @description The colour behind the code, `#rrggbb`. A gradient starts with it. */
            backgroundColor: string;
            /**
             * @description The shape of a module. Default: `rounded`.
             * @enum {string}
             */
            dotType?: "square" | "dots" | "rounded" | "classy" | "classy-rounded" | "extra-rounded";
            /**
             * @description The shape of the outer rings of the eyes. Default: `extra-rounded`.
             * @enum {string}
             */
            cornerType?: "square" | "dots" | "rounded" | "classy" | "classy-rounded" | "extra-rounded" | "dot";
            /**
             * @description The shape of the centres of the eyes. Default: the shape of the dots.
             * @enum {string}
             */
            cornerDotType?: "dot" | "square" | "rounded" | "extra-rounded" | "classy" | "classy-rounded";
            /** @description An absolute http or https URL of the logo: PNG, JPEG, GIF, WebP or SVG, at most 1 MB, not at a private address. */
            logoUrl?: string;
            /** @description The position in the list. The smallest number comes first; kits without a number come last. */
            sortOrder?: number;
            /** @description Whether the dots have a gradient, which ends in `gradientColor`. Default: false. */
            gradientEnabled?: boolean;
            /** @description Whether the gradient of the dots passes through `gradientMidColor`. Default: false. */
            gradientMidEnabled?: boolean;
            /** @description Whether the background has a gradient, which ends in `bgGradientColor2`. Default: false. */
            bgGradientEnabled?: boolean;
            /** @description Whether the outer rings of the eyes have a gradient, which ends in `eyeGradientColor2`. Default: false. */
            eyeGradientEnabled?: boolean;
            /** @description Whether the centres of the eyes have a gradient, which ends in `eyeDotGradientColor2`. Default: false. */
            eyeDotGradientEnabled?: boolean;
            /** @description Whether the background is transparent, instead of `backgroundColor`. Default: false. */
            transparentBg?: boolean;
            /** @description Whether the modules behind the logo are omitted. Default: true. */
            logoHideDots?: boolean;
            /** @description Whether the caption is in capital letters. Default: false. */
            frameUppercase?: boolean;
            /** @description The colour in which the gradient of the dots ends, `#rrggbb`. Without it, `gradientEnabled` has no effect. */
            gradientColor?: string;
            /** @description The colour in the middle of the gradient of the dots, `#rrggbb`. */
            gradientMidColor?: string;
            /** @description The colour in which the gradient of the background ends, `#rrggbb`. Without it, `bgGradientEnabled` has no effect. */
            bgGradientColor2?: string;
            /** @description The colour of the outer rings of the eyes, `#rrggbb`. Default: the colour of the dots. */
            eyeColor?: string;
            /** @description The colour in which the gradient of the outer rings of the eyes ends, `#rrggbb`. Without it, `eyeGradientEnabled` has no effect. */
            eyeGradientColor2?: string;
            /** @description The colour of the centres of the eyes, `#rrggbb`. Default: the colour of the outer rings. */
            eyeDotColor?: string;
            /** @description The colour in which the gradient of the centres of the eyes ends, `#rrggbb`. Without it, `eyeDotGradientEnabled` has no effect. */
            eyeDotGradientColor2?: string;
            /** @description The colour of the frame, `#rrggbb`. Default: the colour of the eyes’ outer rings or of the dots, if it is not a gradient; otherwise `#111827`. */
            frameColor?: string;
            /** @description The colour of the caption, `#rrggbb`. Default: a colour that is legible on its background. */
            frameTextColor?: string;
            /** @description The background inside the frame, `#rrggbb`. Default: the background of the code, or white if that is transparent. */
            frameBgColor?: string;
            /**
             * @description The kind of gradient of the dots. Default: `linear`.
             * @enum {string}
             */
            gradientStyle?: "linear" | "radial";
            /**
             * @description The kind of gradient of the background. Default: `linear`.
             * @enum {string}
             */
            bgGradientStyle?: "linear" | "radial";
            /**
             * @description The kind of gradient of the outer rings of the eyes. Default: `linear`.
             * @enum {string}
             */
            eyeGradientStyle?: "linear" | "radial";
            /**
             * @description The kind of gradient of the centres of the eyes. Default: `linear`.
             * @enum {string}
             */
            eyeDotGradientStyle?: "linear" | "radial";
            /** @description The direction of the linear gradient of the dots, in degrees: 0 runs from left to right, 90 from top to bottom. Default: 0. */
            gradientRotation?: number;
            /** @description The direction of the linear gradient of the background, in degrees: 0 runs from left to right, 90 from top to bottom. Default: 0. */
            bgGradientRotation?: number;
            /** @description The direction of the linear gradient of the outer rings of the eyes, in degrees: 0 runs from left to right, 90 from top to bottom. Default: 0. */
            eyeGradientRotation?: number;
            /** @description The direction of the linear gradient of the centres of the eyes, in degrees: 0 runs from left to right, 90 from top to bottom. Default: 0. */
            eyeDotGradientRotation?: number;
            /** @description How round the corners of the background are: 0 is square, 1 fully rounded. Default: 0. */
            bgRound?: number;
            /** @description The longer side of the logo as a fraction of the code’s side without its quiet zone; 0 means no logo. If a logo of this size would hide too much of a code, it is drawn at the largest size at which the code can be read, and `warnings` says so if the size is set. Default: 0.3. */
            logoSize?: number;
            /** @description The quiet zone, in modules, rounded to a whole number. 0 removes it. Default: 4. */
            margin?: number;
            /** @description The free space around the logo, in modules. Default: 0. */
            logoMargin?: number;
            /**
             * @description The outline of the whole code. Default: `square`.
             * @enum {string}
             */
            shape?: "square" | "circle";
            /**
             * @description How much of the symbol may be covered or damaged: about 7 % (`L`), 15 % (`M`), 25 % (`Q`) or 30 % (`H`). Default: `M`, or `H` with a logo.
             * @enum {string}
             */
            errorCorrection?: "L" | "M" | "Q" | "H";
            /**
             * @description The frame around the code. `none` means no frame and is not stored.
             * @enum {string}
             */
            frameId?: "none" | "border" | "scanme" | "banner" | "rounded" | "polaroid" | "phone" | "ticket" | "bubble" | "ribbon";
            /**
             * @description The typeface of the caption. Default: `sans`.
             * @enum {string}
             */
            frameFont?: "sans" | "serif" | "mono" | "display" | "rounded";
            /** @description The caption of the frame. Default: `Scan me`. */
            frameText?: string;
            /** @description When the kit was created, in milliseconds since 1970. */
            createdAt: number;
            /** @description When the kit was last changed, in milliseconds since 1970. */
            updatedAt: number;
            /** @description Weaknesses of the style, such as weak colours: readers can read the code, but some may fail. Omitted if there are no weaknesses. */
            readonly warnings?: string[];
        };
        Gs1Entry: {
            /** @description The id of the entry. */
            entryId: string;
            /** @description A GS1 Digital Link without its host: a primary key with its qualifiers, such as `/01/09506000134352/10/ABC`. It is stored in its canonical form. A path has at most one entry. */
            path: string;
            /** @description The Digital Link that redirectors answer. */
            url: string;
            /** @description What the key identifies, for lists of links. */
            itemDescription: string;
            /** @description The links. At most one is the default. */
            links: {
                /** @description What the link leads to: a link type of the GS1 Web Vocabulary, such as `gs1:pip`, or its full IRI. */
                linkType: string;
                /** @description An absolute http or https URL. The query of a scan is passed on to it. */
                href: string;
                /** @description The text that people read in lists of links. */
                title: string;
                /** @description The languages of the target (BCP 47). If omitted, the target is for all languages. */
                hreflang?: string[];
                /** @description The media type of the target. */
                type?: string;
                /** @description The audience of the link, in your own words: one text or several. `?context=` selects it. */
                context?: string[];
                /**
                 * @description Whether the entry leads here if a request asks for nothing else. Default: the first link is the default.
                 * @constant
                 */
                default?: true;
            }[];
            /** @description The number of scans that were led to a link of this entry, without scans by bots. */
            scanCount: number;
            /** @description When it was created, in milliseconds since 1970. */
            createdAt: number;
            /** @description When it was last changed, in milliseconds since 1970. */
            updatedAt: number;
            /** @description Contains `scanCount` while it cannot be read. `scanCount` is then the last known value. */
            stale?: string[];
        };
        Gs1EntryList: {
            /** @description A page of entries, newest first. */
            entries: components["schemas"]["Gs1Entry"][];
            /** @description The `cursor` of the next page. Null on the last page. */
            nextCursor: string | null;
        };
        SerializedQuota: {
            /** @description Whether the plan includes serialized codes. */
            serializedEnabled: boolean;
            /** @description The name of the capability. */
            apiName: string;
            /** @description The items that the plan includes. */
            allotment: number;
            /** @description The items that were bought in addition. */
            purchased: number;
            /** @description The items that are minted or being minted. A mint that fails gives its items back. */
            minted: number;
            /** @description `allotment` plus `purchased`. */
            total: number;
            /** @description `total` minus `minted`. It can be negative after a change to a smaller plan. */
            remaining: number;
        };
        MintJob: {
            /** @description The id of the mint job, `sjob_…`. */
            jobId: string;
            /** @description The id of the batch, `batch_…`. */
            batchId: string;
            /** @description The number of items to mint. */
            count: number;
        };
        SerializedBatchList: {
            /** @description The serialized batches of the workspace, newest first. */
            batches: components["schemas"]["SerializedBatchSummary"][];
            /** @description The `cursor` of the next page. `null` on the last page. Present only with `limit` or `cursor`. */
            nextCursor?: string | null;
        };
        SerializedBatchSummary: {
            /** @description The id of the batch, `batch_…`. */
            batchId: string;
            /** @description A label for your own use. */
            batchName: string;
            /** @description The number of items. */
            count: number;
            /** @description How many of its items were scanned at least once. */
            scanned: number;
            /**
             * @description `minting` until all items are written, then `completed`. `failed` if they cannot be written: the batch then has no items, and the quota is given back.
             * @enum {string}
             */
            status: "minting" | "completed" | "failed";
            /** @description The SKU of the product. It is shown when an item is verified. */
            productSku: string | null;
            /** @description The name of the product. It is shown when an item is verified. */
            productName: string | null;
            /** @description The GTIN of the product: 8, 12, 13 or 14 digits, including the check digit. It is stored and shown with 14 digits. With it, the items also have a GS1 Digital Link, and the GTIN belongs to the workspace. */
            gtin: string | null;
            /** @description When it was minted, in epoch milliseconds. */
            createdAt: number;
            /** @description The name above the host and in the issued-for line of the verification page. If omitted, the line is a general one. */
            brandName?: string;
            /**
             * @description A notice about all items of the batch, shown when one is verified: they are `recalled`, or were `stolen`. Items are still claimed, and scans still count.
             * @enum {string}
             */
            notice?: "recalled" | "stolen";
            /** @description The site of the brand: an http or https URL. The verification page links to it. `null` or an empty text means none. */
            brandUrl?: string;
            /** @description Where a buyer can ask the brand: an `http:`, `https:`, `tel:` or `mailto:` URL, for a button on the verification page. If the items are recalled or stolen, it is the first button. `null` or an empty text means none. */
            supportUrl?: string;
            /** @description Where a buyer registers the product: an http or https URL. Only the first scan of an item, and further ones by the same device within ten minutes, show this button. `null` or an empty text means none. */
            registerUrl?: string;
        };
        SerializedJob: {
            /** @description The id of the job: `sjob_…` for a mint, `szip_…` for an export of images, `ssheet_…` for an export of sheets. */
            jobId: string;
            /**
             * @description What the job does.
             * @enum {string}
             */
            jobType: "mint" | "image_export" | "sheet_export";
            /**
             * @description `pending` until the work begins, then `processing`. `completed` and `failed` are final.
             * @enum {string}
             */
            status: "pending" | "processing" | "completed" | "failed";
            /** @description The number of items to write. */
            count: number;
            /** @description The number of items written so far. */
            itemsWritten: number;
            /** @description The id of its batch. */
            batchId: string;
            /** @description The format of the images. `null` unless the job is an export of images. */
            imageFormat: string | null;
            /** @description Whether the result can be fetched: the items of a mint, or the file of an export. */
            resultReady: boolean;
            /** @description When it was created, in epoch milliseconds. */
            createdAt: number;
            /** @description When it last made progress, in epoch milliseconds. */
            updatedAt: number;
            /** @description Why it failed. Present only if it is `failed`. */
            error?: string;
        };
        SerializedBatchWithItems: {
            /** @description The id of the batch, `batch_…`. */
            batchId: string;
            /** @description A label for your own use. */
            batchName: string;
            /** @description The number of items. */
            count: number;
            /** @description How many of its items were scanned at least once. */
            scanned: number;
            /**
             * @description `minting` until all items are written, then `completed`. `failed` if they cannot be written: the batch then has no items, and the quota is given back.
             * @enum {string}
             */
            status: "minting" | "completed" | "failed";
            /** @description The SKU of the product. It is shown when an item is verified. */
            productSku: string | null;
            /** @description The name of the product. It is shown when an item is verified. */
            productName: string | null;
            /** @description The GTIN of the product: 8, 12, 13 or 14 digits, including the check digit. It is stored and shown with 14 digits. With it, the items also have a GS1 Digital Link, and the GTIN belongs to the workspace. */
            gtin: string | null;
            /** @description When it was minted, in epoch milliseconds. */
            createdAt: number;
            /** @description The name above the host and in the issued-for line of the verification page. If omitted, the line is a general one. */
            brandName?: string;
            /**
             * @description A notice about all items of the batch, shown when one is verified: they are `recalled`, or were `stolen`. Items are still claimed, and scans still count.
             * @enum {string}
             */
            notice?: "recalled" | "stolen";
            /** @description The site of the brand: an http or https URL. The verification page links to it. `null` or an empty text means none. */
            brandUrl?: string;
            /** @description Where a buyer can ask the brand: an `http:`, `https:`, `tel:` or `mailto:` URL, for a button on the verification page. If the items are recalled or stolen, it is the first button. `null` or an empty text means none. */
            supportUrl?: string;
            /** @description Where a buyer registers the product: an http or https URL. Only the first scan of an item, and further ones by the same device within ten minutes, show this button. `null` or an empty text means none. */
            registerUrl?: string;
            /** @description The picture of the product as a data URI: a WebP of at most 160 × 160 pixels and 5500 bytes, made from the file that was sent. Lists of batches do not have it. */
            productImage?: string;
            /** @description A page of its items, in the order in which they were minted. While the batch is `minting`, it has only the items written so far. */
            items: components["schemas"]["SerializedItem"][];
            /** @description The `cursor` of the next page. `null` on the last page. While the batch is `minting`, more items may come. */
            nextCursor: string | null;
        };
        SerializedItem: {
            /** @description The id of the item, 12 characters. */
            itemId: string;
            /** @description The printed address, at which the item is verified. */
            url: string;
            /** @description The SKU of its batch. */
            productSku: string | null;
            /** @description The product name of its batch. */
            productName: string | null;
            /** @description How often people have scanned it. */
            scanCount: number;
            /** @description When it was first scanned, in epoch milliseconds. `null` if it was not. */
            firstScannedAt: number | null;
            /** @description The country of the first scan (ISO 3166-1 alpha-2). `null` if there was no scan, or the country is unknown. */
            firstScanCountry: string | null;
        };
        SerializedBatch: {
            /** @description The id of the batch, `batch_…`. */
            batchId: string;
            /** @description A label for your own use. */
            batchName: string;
            /** @description The number of items. */
            count: number;
            /** @description How many of its items were scanned at least once. */
            scanned: number;
            /**
             * @description `minting` until all items are written, then `completed`. `failed` if they cannot be written: the batch then has no items, and the quota is given back.
             * @enum {string}
             */
            status: "minting" | "completed" | "failed";
            /** @description The SKU of the product. It is shown when an item is verified. */
            productSku: string | null;
            /** @description The name of the product. It is shown when an item is verified. */
            productName: string | null;
            /** @description The GTIN of the product: 8, 12, 13 or 14 digits, including the check digit. It is stored and shown with 14 digits. With it, the items also have a GS1 Digital Link, and the GTIN belongs to the workspace. */
            gtin: string | null;
            /** @description When it was minted, in epoch milliseconds. */
            createdAt: number;
            /** @description The name above the host and in the issued-for line of the verification page. If omitted, the line is a general one. */
            brandName?: string;
            /**
             * @description A notice about all items of the batch, shown when one is verified: they are `recalled`, or were `stolen`. Items are still claimed, and scans still count.
             * @enum {string}
             */
            notice?: "recalled" | "stolen";
            /** @description The site of the brand: an http or https URL. The verification page links to it. `null` or an empty text means none. */
            brandUrl?: string;
            /** @description Where a buyer can ask the brand: an `http:`, `https:`, `tel:` or `mailto:` URL, for a button on the verification page. If the items are recalled or stolen, it is the first button. `null` or an empty text means none. */
            supportUrl?: string;
            /** @description Where a buyer registers the product: an http or https URL. Only the first scan of an item, and further ones by the same device within ten minutes, show this button. `null` or an empty text means none. */
            registerUrl?: string;
            /** @description The picture of the product as a data URI: a WebP of at most 160 × 160 pixels and 5500 bytes, made from the file that was sent. Lists of batches do not have it. */
            productImage?: string;
        };
        ImageExportJob: {
            /** @description The id of the export job, `szip_…`. */
            jobId: string;
            /** @description The id of the batch. */
            batchId: string;
            /**
             * @description The format of the images.
             * @enum {string}
             */
            format: "svg" | "png";
            /** @description The number of images to draw. */
            count: number;
            /** @description Weaknesses of the style, such as weak colours: readers can read the code, but some may fail. Omitted if there are no weaknesses. */
            readonly warnings?: string[];
        };
        SheetsJob: {
            /** @description The id of the job, `ssheet_…`. */
            jobId: string;
            /** @description The id of the batch. */
            batchId: string;
            /** @description The number of codes on the sheets. */
            count: number;
            /** @description The number of pages. */
            pages: number;
            /** @description The captions that the labels have no room for: `["host"]`, or `[]` if all are printed. */
            omittedCaptions: ("itemId" | "serial" | "gs1" | "productName" | "productSku" | "host")[];
        };
        SerialVerification: {
            /**
             * @description `authentic`: this is the first scan. `already_scanned`: it is not.
             * @enum {string}
             */
            verdict: "authentic" | "already_scanned";
            /** @description The id of the item. */
            itemId: string;
            /** @description The SKU of the batch. */
            productSku?: string | null;
            /** @description The name of the product. */
            productName?: string | null;
            /** @description The GTIN of the product, 14 digits. */
            gtin?: string | null;
            /** @description The name in the issued-for line. */
            brandName?: string | null;
            /** @description The owner’s notice about the whole batch. If there is one, do not trust the item, whatever the verdict. */
            notice?: ("recalled" | "stolen") | null;
            /** @description Counted scans, including this one. */
            scanCount?: number;
            /** @description When the item was first scanned, in milliseconds since 1970. */
            firstScannedAt?: number;
            /** @description The country of the first scan (ISO 3166-1 alpha-2). */
            firstScanCountry?: string | null;
            /** @description Whether this device made the first scan, at most ten minutes ago. */
            sameDevice?: boolean;
        };
        SerialRefusal: {
            /**
             * @description `not_genuine`: the signature is not ours. `not_known`: there is no such item.
             * @enum {string}
             */
            verdict: "not_genuine" | "not_known";
            /** @description The verdict in words. */
            error: string;
            /** @description For programs: `NOT_FOUND`. */
            code: string;
        };
        CreatedWebhook: {
            /** @description The id of the webhook. */
            id: string;
            /** @description Where deliveries are posted: an absolute http or https URL at a public address. With http, anyone on the network path can read and change the deliveries. */
            url: string;
            /** @description Your note. Null if there is none. */
            description: string | null;
            /** @description The types of events to deliver. `*` stands for all types, including future ones, and must be the only entry. */
            events: string[];
            /** @description How scans are grouped. Null if each scan is delivered singly. */
            batch: {
                /** @description A delivery has at most this many scans. */
                maxEvents: number;
                /** @description The first scan of a batch waits at most this many seconds. */
                maxSeconds: number;
            } | null;
            /**
             * @description While it is `paused`, events are kept as long as there is room. They are delivered when it is `active` again.
             * @enum {string}
             */
            status: "active" | "paused";
            /** @description Why it is paused. `owner`: you paused it. `failing`: its deliveries failed for 5 days (1 day if its URL has never answered 2xx), or its URL answered 410. Null while it is active. */
            pausedReason: ("owner" | "failing") | null;
            /** @description When it was paused (ISO 8601, UTC). Null while it is active. */
            pausedAt: string | null;
            /** @description When the first attempt after the last successful one failed (ISO 8601, UTC). Null if none has failed. */
            failingSince: string | null;
            /** @description When events stopped getting deliveries because 1,000,000 already wait (ISO 8601, UTC). A replay of `missed` events delivers them. Null otherwise. */
            overflowingSince: string | null;
            /** @description The time until which deliveries are also signed with the previous secret (ISO 8601, UTC). Null if they are not. */
            previousSecretExpiresAt: string | null;
            /**
             * Format: date-time
             * @description When it was created (ISO 8601, UTC).
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed (ISO 8601, UTC).
             */
            updatedAt: string;
            /** @description The secret that signs the deliveries: `whsec_` and base64. It is shown only in this answer. */
            secret: string;
        };
        WebhookList: {
            /** @description All webhooks of the workspace, newest first. */
            webhooks: components["schemas"]["Webhook"][];
        };
        Webhook: {
            /** @description The id of the webhook. */
            id: string;
            /** @description Where deliveries are posted: an absolute http or https URL at a public address. With http, anyone on the network path can read and change the deliveries. */
            url: string;
            /** @description Your note. Null if there is none. */
            description: string | null;
            /** @description The types of events to deliver. `*` stands for all types, including future ones, and must be the only entry. */
            events: string[];
            /** @description How scans are grouped. Null if each scan is delivered singly. */
            batch: {
                /** @description A delivery has at most this many scans. */
                maxEvents: number;
                /** @description The first scan of a batch waits at most this many seconds. */
                maxSeconds: number;
            } | null;
            /**
             * @description While it is `paused`, events are kept as long as there is room. They are delivered when it is `active` again.
             * @enum {string}
             */
            status: "active" | "paused";
            /** @description Why it is paused. `owner`: you paused it. `failing`: its deliveries failed for 5 days (1 day if its URL has never answered 2xx), or its URL answered 410. Null while it is active. */
            pausedReason: ("owner" | "failing") | null;
            /** @description When it was paused (ISO 8601, UTC). Null while it is active. */
            pausedAt: string | null;
            /** @description When the first attempt after the last successful one failed (ISO 8601, UTC). Null if none has failed. */
            failingSince: string | null;
            /** @description When events stopped getting deliveries because 1,000,000 already wait (ISO 8601, UTC). A replay of `missed` events delivers them. Null otherwise. */
            overflowingSince: string | null;
            /** @description The time until which deliveries are also signed with the previous secret (ISO 8601, UTC). Null if they are not. */
            previousSecretExpiresAt: string | null;
            /**
             * Format: date-time
             * @description When it was created (ISO 8601, UTC).
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed (ISO 8601, UTC).
             */
            updatedAt: string;
        };
        RotatedWebhookSecret: {
            /** @description The secret that signs the deliveries: `whsec_` and base64. It is shown only in this answer. */
            secret: string;
            /**
             * Format: date-time
             * @description The time until which deliveries are also signed with the previous secret (ISO 8601, UTC).
             */
            previousSecretExpiresAt: string;
        };
        WebhookDelivery: {
            /** @description The id of the delivery, which is sent as `webhook-id`. */
            id: string;
            /** @description The id of the event, as in the body. For a batch, the id of the batch; the ids of its events are in `data.events`. */
            eventId: string;
            /** @description The type of the event, or `scan.created.batch`. */
            type: string;
            /** @description Whether it is a test delivery: an example event that you requested. It is sent with the header `webhook-test: true`. */
            test: boolean;
            /**
             * @description `pending` until it `succeeded`, or `failed` after six attempts. After that, only a resend or a replay sends it again.
             * @enum {string}
             */
            status: "pending" | "succeeded" | "failed";
            /** @description The requests so far, oldest first. */
            attempts: {
                /**
                 * Format: date-time
                 * @description When the request was sent (ISO 8601, UTC).
                 */
                at: string;
                /** @description The HTTP status of the answer. Null if there was no answer. */
                status: number | null;
                /** @description How long it took, in milliseconds. */
                durationMs: number;
                /** @description What went wrong. Null if nothing did, or if the status shows it. */
                error: string | null;
                /** @description The beginning of the answer’s body. Null if there is none. */
                response: string | null;
            }[];
            /** @description When the next attempt is due (ISO 8601, UTC). A time in the past means that it is due and waits for a free slot of the webhook, or for the end of `Retry-After`. After 1,000 attempts in a day at URLs of the workspace that have never answered 2xx, it waits for 15 minutes. Null if there will be no further attempt, during an attempt, and while the webhook is paused. */
            nextAttemptAt: string | null;
            /**
             * Format: date-time
             * @description When it was created (ISO 8601, UTC).
             */
            createdAt: string;
            /** @description When it succeeded or finally failed (ISO 8601, UTC). Null while it is pending. */
            finishedAt: string | null;
        };
        WebhookDeliveryList: {
            /** @description A page of deliveries, newest events first. */
            data: components["schemas"]["WebhookDelivery"][];
            /** @description The position of the page. */
            pagination: {
                /** @description The largest number of entries in the page. */
                limit: number;
                /** @description The `cursor` of the request. Null on the first page. */
                cursor: string | null;
                /** @description The `cursor` of the next page. Null on the last page. */
                nextCursor: string | null;
            };
        };
        WebhookDeliveryWithAttempts: {
            /** @description The id of the delivery, which is sent as `webhook-id`. */
            id: string;
            /** @description The id of the event, as in the body. For a batch, the id of the batch; the ids of its events are in `data.events`. */
            eventId: string;
            /** @description The type of the event, or `scan.created.batch`. */
            type: string;
            /** @description Whether it is a test delivery: an example event that you requested. It is sent with the header `webhook-test: true`. */
            test: boolean;
            /**
             * @description `pending` until it `succeeded`, or `failed` after six attempts. After that, only a resend or a replay sends it again.
             * @enum {string}
             */
            status: "pending" | "succeeded" | "failed";
            /** @description The requests so far, oldest first. */
            attempts: {
                /**
                 * Format: date-time
                 * @description When the request was sent (ISO 8601, UTC).
                 */
                at: string;
                /** @description The HTTP status of the answer. Null if there was no answer. */
                status: number | null;
                /** @description How long it took, in milliseconds. */
                durationMs: number;
                /** @description What went wrong. Null if nothing did, or if the status shows it. */
                error: string | null;
                /** @description The beginning of the answer’s body. Null if there is none. */
                response: string | null;
            }[];
            /** @description When the next attempt is due (ISO 8601, UTC). A time in the past means that it is due and waits for a free slot of the webhook, or for the end of `Retry-After`. After 1,000 attempts in a day at URLs of the workspace that have never answered 2xx, it waits for 15 minutes. Null if there will be no further attempt, during an attempt, and while the webhook is paused. */
            nextAttemptAt: string | null;
            /**
             * Format: date-time
             * @description When it was created (ISO 8601, UTC).
             */
            createdAt: string;
            /** @description When it succeeded or finally failed (ISO 8601, UTC). Null while it is pending. */
            finishedAt: string | null;
            /** @description The request that is sent. Null if its event is no longer kept. */
            request: {
                /** @description The headers that are the same in every attempt. `webhook-timestamp` and the signatures differ in each attempt, and are not stored. */
                headers: {
                    [key: string]: string;
                };
                /** @description The body. Its bytes are the same in every attempt. */
                body: string;
            } | null;
        };
        WebhookReplay: {
            /** @description The id of the replay. */
            id: string;
            /** @description The id of the webhook. */
            webhookId: string;
            /**
             * Format: date-time
             * @description The start of the range, included in it (ISO 8601, UTC).
             */
            from: string;
            /**
             * Format: date-time
             * @description The end of the range, not included in it (ISO 8601, UTC).
             */
            to: string;
            /** @description Only events of these types. Null: the types that the webhook follows. */
            types: string[] | null;
            /**
             * @description `failed`: events whose delivery finally failed. `missed`: events that have no delivery, because they came while the webhook overflowed, or because only another webhook of the workspace followed them. Events that no webhook followed are not kept. `all`: both, and the events that were delivered.
             * @enum {string}
             */
            which: "failed" | "missed" | "all";
            /**
             * @description `completed`: all deliveries are in the queue. `failed`: the work could not be finished; another replay of `failed` or `missed` events sends the rest. Both are final.
             * @enum {string}
             */
            status: "pending" | "processing" | "completed" | "failed";
            /** @description The number of deliveries put into the queue so far. */
            sent: number;
            /** @description The progress: the time of the last event examined (ISO 8601, UTC). Null before the first. */
            at: string | null;
            /**
             * Format: date-time
             * @description When it was requested (ISO 8601, UTC).
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last made progress (ISO 8601, UTC).
             */
            updatedAt: string;
            /** @description When it ended (ISO 8601, UTC). Null before that. */
            finishedAt: string | null;
        };
        WebhookReplayList: {
            /** @description A page of replays, newest first. */
            data: components["schemas"]["WebhookReplay"][];
            /** @description The position of the page. */
            pagination: {
                /** @description The largest number of entries in the page. */
                limit: number;
                /** @description The `cursor` of the request. Null on the first page. */
                cursor: string | null;
                /** @description The `cursor` of the next page. Null on the last page. */
                nextCursor: string | null;
            };
        };
        Branding: {
            /** @description Your name, at the top of each page. */
            name: string | null;
            /** @description The logo as a data URI: a WebP of at most 384 × 80 pixels and 8000 bytes, made from the file that was sent. */
            logo: string | null;
            /** @description The colour of buttons and links, `#rrggbb`. */
            accent: string | null;
            /** @description The colour behind everything, `#rrggbb`. */
            background: string | null;
            /** @description Your website, an http or https URL: pages that lead nowhere have a button to it. */
            url: string | null;
            /** @description A number to call, without spaces, such as `+4930123456`. */
            phone: string | null;
            /** @description An address to write to, such as `info@example.com`. */
            email: string | null;
            /** @description Your own words for messages, in your language. All others are in the visitor’s. */
            texts: {
                /** @description There is no such code, or no such page. */
                unknown: {
                    /** @description The headline. If unset, the usual one. */
                    title: string | null;
                    /** @description The text below the headline, of any number of lines. If unset, the usual one. */
                    text: string | null;
                } | null;
                /** @description The code is switched off. */
                inactive: {
                    /** @description The headline. If unset, the usual one. */
                    title: string | null;
                    /** @description The text below the headline, of any number of lines. If unset, the usual one. */
                    text: string | null;
                } | null;
                /** @description The code has expired. */
                expired: {
                    /** @description The headline. If unset, the usual one. */
                    title: string | null;
                    /** @description The text below the headline, of any number of lines. If unset, the usual one. */
                    text: string | null;
                } | null;
                /** @description The code has been scanned as often as it may be. */
                capped: {
                    /** @description The headline. If unset, the usual one. */
                    title: string | null;
                    /** @description The text below the headline, of any number of lines. If unset, the usual one. */
                    text: string | null;
                } | null;
                /** @description The code asks for its password. */
                password: {
                    /** @description The headline. If unset, the usual one. */
                    title: string | null;
                    /** @description The text below the headline, of any number of lines. If unset, the usual one. */
                    text: string | null;
                } | null;
            };
            /** @description When the branding was last changed, ISO 8601. Null if it has never been set. */
            updatedAt: string | null;
        };
        Domain: {
            /** @description The id of the domain. */
            id: string;
            /** @description The name in ASCII and lower case. */
            domain: string;
            /**
             * @description `pending`: the TXT record has not been seen yet. `verified`: the domain is yours, and codes are served on it. `missing`: the record is gone, but codes are still served. `off`: the record was gone for 30 days, and nothing is served any more.
             * @enum {string}
             */
            status: "pending" | "verified" | "missing" | "off";
            /** @description Whether new codes are printed with the domain. At most one domain of a workspace is primary. Existing codes do not change. */
            primary: boolean;
            /** @description The part of a short URL before the id of a code: `/`, `/r/` or one segment such as `/go/`. `/r/` always works too. A path that codes were printed with cannot be changed. */
            path: string;
            /** @description The URL to which `/` of the domain redirects, with 302. `null`: `/` is 404. */
            rootRedirect: string | null;
            /** @description What pages on the domain show of you, in place of the branding of the workspace (`PUT /api/branding`), with the same fields. It is replaced as a whole. `null`: the branding of the workspace. */
            branding: {
                /** @description Your name, at the top of each page. */
                name: string | null;
                /** @description The logo as a data URI: a WebP of at most 384 × 80 pixels and 8000 bytes, made from the file that was sent. */
                logo: string | null;
                /** @description The colour of buttons and links, `#rrggbb`. */
                accent: string | null;
                /** @description The colour behind everything, `#rrggbb`. */
                background: string | null;
                /** @description Your website, an http or https URL: pages that lead nowhere have a button to it. */
                url: string | null;
                /** @description A number to call, without spaces, such as `+4930123456`. */
                phone: string | null;
                /** @description An address to write to, such as `info@example.com`. */
                email: string | null;
                /** @description Your own words for messages, in your language. All others are in the visitor’s. */
                texts: {
                    /** @description There is no such code, or no such page. */
                    unknown: {
                        /** @description The headline. If unset, the usual one. */
                        title: string | null;
                        /** @description The text below the headline, of any number of lines. If unset, the usual one. */
                        text: string | null;
                    } | null;
                    /** @description The code is switched off. */
                    inactive: {
                        /** @description The headline. If unset, the usual one. */
                        title: string | null;
                        /** @description The text below the headline, of any number of lines. If unset, the usual one. */
                        text: string | null;
                    } | null;
                    /** @description The code has expired. */
                    expired: {
                        /** @description The headline. If unset, the usual one. */
                        title: string | null;
                        /** @description The text below the headline, of any number of lines. If unset, the usual one. */
                        text: string | null;
                    } | null;
                    /** @description The code has been scanned as often as it may be. */
                    capped: {
                        /** @description The headline. If unset, the usual one. */
                        title: string | null;
                        /** @description The text below the headline, of any number of lines. If unset, the usual one. */
                        text: string | null;
                    } | null;
                    /** @description The code asks for its password. */
                    password: {
                        /** @description The headline. If unset, the usual one. */
                        title: string | null;
                        /** @description The text below the headline, of any number of lines. If unset, the usual one. */
                        text: string | null;
                    } | null;
                };
            } | null;
            /** @description The TXT record that proves that the domain is yours. Keep it in place. */
            dns: {
                /**
                 * @description The type of the record.
                 * @constant
                 */
                type: "TXT";
                /** @description The name of the record. */
                name: string;
                /** @description The value of the record. There may be other records beside it. */
                value: string;
            };
            /** @description The host to which the CNAME record, or the A and AAAA records, of the domain must lead. */
            target: string;
            /** @description When the record was first seen, or seen again after it was missing. */
            verifiedAt: string | null;
            /** @description When the record was last checked. */
            lastCheckedAt: string | null;
            /** @description Why the last check did not find the record, and whether checks have stopped. Null if it was found. */
            lastCheckError: string | null;
            /** @description When the record is checked next. Null if checks have stopped because it was not found for 14 days: `verify` starts them again. */
            nextCheckAt: string | null;
            /** @description The time since which the domain counts as missing. */
            missingSince: string | null;
            /** @description When the domain will be switched off, unless the record comes back. */
            switchOffAt: string | null;
            /** @description When the domain was added. */
            createdAt: string;
            /** @description When the domain or its status was last changed. */
            updatedAt: string;
        };
        DomainList: {
            /** @description All domains of the workspace, newest first. */
            domains: components["schemas"]["Domain"][];
        };
        Subscription: {
            /** @description The id of the subscription, `sub_…`, as in the events `subscription.*`. */
            subscriptionId: string;
            /**
             * @description The plan.
             * @enum {string}
             */
            plan: "free" | "starter" | "growth" | "business" | "enterprise";
            /**
             * @description `active`, `past_due` after a failed payment, or `cancelled`.
             * @enum {string}
             */
            status: "active" | "past_due" | "cancelled";
            /** @description The start of the paid period, in milliseconds since 1970; null if nothing is billed. */
            currentPeriodStart: number | null;
            /** @description The end of the paid period, in milliseconds since 1970; null if nothing is billed. */
            currentPeriodEnd: number | null;
            /** @description Whether the subscription ends with the paid period. */
            cancelAtPeriodEnd: boolean;
            /** @description How many requests per second all keys of the subscription may send together. */
            requestsPerSecond: number;
            /** @description The quotas by name: `apiCalls`, `dynamicQr`, `bulkOrders`. */
            quotas: {
                [key: string]: {
                    /** @description The limit for the period; null means unlimited. */
                    limit: number | null;
                    /** @description How much is used in the period, by all workspaces of the subscription together. */
                    used: number;
                    /** @description How much is left, at least 0; null means unlimited. */
                    remaining: number | null;
                    /**
                     * @description The period that the limit applies to. Periods begin at midnight UTC.
                     * @enum {string}
                     */
                    period: "day" | "month" | "lifetime";
                    /** @description When the next period begins, in milliseconds since 1970; null for `lifetime`. */
                    resetsAt: number | null;
                };
            };
            /** @description What the plan includes, by the names that `FEATURE_NOT_ON_PLAN` uses. */
            capabilities: string[];
        };
        PaymentEventTaken: {
            /**
             * @description The event need not be sent again.
             * @constant
             */
            received: true;
            /**
             * @description What was done with the event:
             *
             *     - `applied`: it changed the subscription
             *     - `noted`: it changes nothing
             *     - `stale`: a newer event came before it
             *     - `waiting`: it names no known subscription or price, and waits until one is known
             *     - `unreadable`: it cannot be read
             *     - `repeated`: it was processed before
             *     - `ignored`: its type is not processed
             * @enum {string}
             */
            outcome: "applied" | "noted" | "stale" | "waiting" | "unreadable" | "repeated" | "ignored";
        };
        AppleAppSiteAssociation: {
            /** @description The universal links of this host. */
            applinks: {
                /** @description The codes that each app opens. */
                details: {
                    /** @description The apps, each by its team id and bundle id. */
                    appIDs: string[];
                    /** @description The codes that the apps open. */
                    components: {
                        /** @description The path of a code. */
                        "/": string;
                    }[];
                }[];
            };
        };
        AndroidAssetLinks: {
            /** @description What the app may do. */
            relation: string[];
            /** @description The app. */
            target: {
                /**
                 * @description The kind of target.
                 * @constant
                 */
                namespace: "android_app";
                /** @description The package name of the app. */
                package_name: string;
                /** @description The SHA-256 fingerprints, in hexadecimal, of the certificates that sign the app. */
                sha256_cert_fingerprints: string[];
            };
        }[];
        GetHealthResponse: {
            /**
             * @description All dependencies of the service work.
             * @constant
             */
            status: "ok";
        };
        GetHealthResponse503: {
            /**
             * @description A dependency of the service does not work.
             * @constant
             */
            status: "unavailable";
            /** @description The fault, in words. */
            error: string;
            /** @description The fault, for programs: `UNAVAILABLE`. */
            code: string;
        };
        GetStartResponse: {
            /** @description The name of the service. */
            name: string;
            /** @description The URL of the documentation, as a page. */
            docs: string;
            /** @description The URL of the documentation, for programs. */
            openapi: string;
        };
        GetOpenApiResponse: {
            /** @description The version of OpenAPI. */
            openapi: string;
        } & {
            [key: string]: unknown;
        };
        GetDocsSearchResponse: {
            /** @description The title of the section or operation. */
            title: string;
            /** @description The group that it belongs to. */
            group: string;
            /** @description The path of its page, with the anchor. */
            url: string;
            /** @description The method of an operation; `event` for a message. */
            method?: string;
            /** @description The path of an operation, or the type of a message. */
            path?: string;
            /** @description Where each field is: the rest of its anchor. */
            fields?: string[];
        }[];
    };
    responses: {
        /** @description An unexpected error */
        InternalError: {
            headers: {
                "request-id": components["headers"]["request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Internal error",
                 *       "code": "INTERNAL",
                 *       "requestId": "3f2b8c1e-5a77-4a5c-9d3e-0c5b7d1f2a90"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The API key is missing, invalid or revoked */
        Unauthenticated: {
            headers: {
                "request-id": components["headers"]["request-id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The API key is invalid or revoked",
                 *       "code": "UNAUTHENTICATED"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A dependency is unavailable; retry after `Retry-After` seconds */
        Unavailable: {
            headers: {
                "request-id": components["headers"]["request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The service is temporarily unavailable",
                 *       "code": "UNAVAILABLE"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description More requests than the plan allows in a second; the plan’s quota `apiCalls` is used up */
        TooManyRequests: {
            headers: {
                "request-id": components["headers"]["request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-Service-Error-Code": components["headers"]["X-Service-Error-Code"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "More than 5 requests in a second; try again in a second",
                 *       "code": "RATE_LIMITED"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A query parameter is sent, but none is accepted */
        InvalidRequest: {
            headers: {
                "request-id": components["headers"]["request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "surprise is not a known parameter; none is accepted here",
                 *       "code": "INVALID_REQUEST"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The subscription is cancelled */
        Forbidden: {
            headers: {
                "request-id": components["headers"]["request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The subscription of this API key is cancelled",
                 *       "code": "FORBIDDEN"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A required field is missing, a field is unknown or has the wrong JSON type, or the body is not JSON; a query parameter is sent, but none is accepted */
        InvalidRequest2: {
            headers: {
                "request-id": components["headers"]["request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "surprise is not a known field",
                 *       "code": "INVALID_REQUEST"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A field has the right type but an invalid value */
        Unprocessable: {
            headers: {
                "request-id": components["headers"]["request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "name must have at most 120 characters; given: 130",
                 *       "code": "UNPROCESSABLE"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A required field is missing, a field is unknown or has the wrong JSON type, or the body is not JSON; a query parameter is sent, but none is accepted; the idempotency key is empty or too long */
        InvalidRequest3: {
            headers: {
                "request-id": components["headers"]["request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "surprise is not a known field",
                 *       "code": "INVALID_REQUEST"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The resource does not exist */
        NotFound: {
            headers: {
                "request-id": components["headers"]["request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "There is no webhook with the id 'wh_4nX5cPq7Rk2mQw8Z'",
                 *       "code": "NOT_FOUND"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A field has the right type but an invalid value; the idempotency key was used for a different request */
        Unprocessable2: {
            headers: {
                "request-id": components["headers"]["request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "name must have at most 120 characters; given: 130",
                 *       "code": "UNPROCESSABLE"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The resource does not exist */
        NotFound2: {
            headers: {
                "request-id": components["headers"]["request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "There is no code with the id 'nX5cPq7Rk'",
                 *       "code": "NOT_FOUND"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description An unexpected error */
        InternalError2: {
            headers: {
                "request-id": components["headers"]["request-id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Internal error",
                 *       "code": "INTERNAL",
                 *       "requestId": "3f2b8c1e-5a77-4a5c-9d3e-0c5b7d1f2a90"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The resource belongs to another workspace; the subscription is cancelled */
        Forbidden2: {
            headers: {
                "request-id": components["headers"]["request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The code with the id 'nX5cPq7Rk' belongs to another workspace",
                 *       "code": "FORBIDDEN"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is larger than 4 MB */
        BodyTooLarge: {
            headers: {
                "request-id": components["headers"]["request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The body must not be larger than 4 MB",
                 *       "code": "BODY_TOO_LARGE"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description 8 downloads of the workspace are already in progress; more requests than the plan allows in a second; the plan’s quota `apiCalls` is used up */
        TooManyRequests2: {
            headers: {
                "request-id": components["headers"]["request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-Service-Error-Code": components["headers"]["X-Service-Error-Code"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "More than 5 requests in a second; try again in a second",
                 *       "code": "RATE_LIMITED"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is larger than 256 KB */
        BodyTooLarge2: {
            headers: {
                "request-id": components["headers"]["request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The body must not be larger than 256 KB",
                 *       "code": "BODY_TOO_LARGE"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The first request with this idempotency key is still in progress */
        Conflict: {
            headers: {
                "request-id": components["headers"]["request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The first request with this Waymark-Idempotency-Key is still being performed; try again",
                 *       "code": "CONFLICT"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The API key is missing, invalid or revoked */
        Unauthenticated2: {
            headers: {
                "request-id": components["headers"]["request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The API key is invalid or revoked",
                 *       "code": "UNAUTHENTICATED"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The resource belongs to another workspace; the subscription is cancelled */
        Forbidden3: {
            headers: {
                "request-id": components["headers"]["request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The serialized batch with the id 'batch_4nX5cPq7Rk2mQw8Z' belongs to another workspace",
                 *       "code": "FORBIDDEN"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The resource does not exist */
        NotFound3: {
            headers: {
                "request-id": components["headers"]["request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "There is no serialized batch with the id 'batch_4nX5cPq7Rk2mQw8Z'",
                 *       "code": "NOT_FOUND"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The resource belongs to another workspace; the key does not have the role owner or admin; the subscription is cancelled */
        Forbidden4: {
            headers: {
                "request-id": components["headers"]["request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The webhook with the id 'wh_4nX5cPq7Rk2mQw8Z' belongs to another workspace",
                 *       "code": "FORBIDDEN"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The resource belongs to another workspace; the subscription is cancelled */
        Forbidden5: {
            headers: {
                "request-id": components["headers"]["request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The form with the id 'form_4nX5cPq7Rk2mQw8Z' belongs to another workspace",
                 *       "code": "FORBIDDEN"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The resource does not exist */
        NotFound4: {
            headers: {
                "request-id": components["headers"]["request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "There is no form with the id 'form_4nX5cPq7Rk2mQw8Z'",
                 *       "code": "NOT_FOUND"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The resource belongs to another workspace; the subscription is cancelled */
        Forbidden6: {
            headers: {
                "request-id": components["headers"]["request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The webhook with the id 'wh_4nX5cPq7Rk2mQw8Z' belongs to another workspace",
                 *       "code": "FORBIDDEN"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The resource belongs to another workspace; the subscription is cancelled */
        Forbidden7: {
            headers: {
                "request-id": components["headers"]["request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The bulk operation with the id 'blk_7Yh2kPq9RsTuVwXy' belongs to another workspace",
                 *       "code": "FORBIDDEN"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The resource does not exist */
        NotFound5: {
            headers: {
                "request-id": components["headers"]["request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "There is no landing page with the id 'page_4nX5cPq7Rk2mQw8Z'",
                 *       "code": "NOT_FOUND"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too many pictures of the workspace are waiting to be read; more requests than the plan allows in a second; the plan’s quota `apiCalls` is used up */
        TooManyRequests3: {
            headers: {
                "request-id": components["headers"]["request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-Service-Error-Code": components["headers"]["X-Service-Error-Code"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "More than 5 requests in a second; try again in a second",
                 *       "code": "RATE_LIMITED"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description An unexpected error */
        InternalError3: {
            headers: {
                "request-id": components["headers"]["request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "text/html": unknown;
                /**
                 * @example {
                 *       "error": "Internal error",
                 *       "code": "INTERNAL",
                 *       "requestId": "3f2b8c1e-5a77-4a5c-9d3e-0c5b7d1f2a90"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The key does not have the role owner or admin; the subscription is cancelled */
        Forbidden8: {
            headers: {
                "request-id": components["headers"]["request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The subscription of this API key is cancelled",
                 *       "code": "FORBIDDEN"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The resource does not exist */
        NotFound6: {
            headers: {
                "request-id": components["headers"]["request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "There is no code with the id 'gs1_4nX5cPq7Rk2mQw8Z'",
                 *       "code": "NOT_FOUND"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The batch is still minting, or minting has failed */
        Conflict2: {
            headers: {
                "request-id": components["headers"]["request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The batch batch_4nX5cPq7Rk2mQw8Z is still minting; wait until its status is completed",
                 *       "code": "CONFLICT"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The resource does not exist */
        NotFound7: {
            headers: {
                "request-id": components["headers"]["request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "There is no code with the id 'dom_4nX5cPq7Rk2mQw8Z'",
                 *       "code": "NOT_FOUND"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The brand kit belongs to another workspace; the subscription is cancelled */
        Forbidden9: {
            headers: {
                "request-id": components["headers"]["request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The subscription of this API key is cancelled",
                 *       "code": "FORBIDDEN"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The store of scans is unavailable */
        Unavailable2: {
            headers: {
                "request-id": components["headers"]["request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The service is temporarily unavailable",
                 *       "code": "UNAVAILABLE"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is larger than 2 MB */
        BodyTooLarge3: {
            headers: {
                "request-id": components["headers"]["request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The body must not be larger than 2 MB",
                 *       "code": "BODY_TOO_LARGE"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is larger than 25 MB, or a row is larger than 4 MB */
        BodyTooLarge4: {
            headers: {
                "request-id": components["headers"]["request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The body must not be larger than 25 MB",
                 *       "code": "BODY_TOO_LARGE"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The list is long, and 8 downloads of the workspace are already in progress; more requests than the plan allows in a second; the plan’s quota `apiCalls` is used up */
        TooManyRequests4: {
            headers: {
                "request-id": components["headers"]["request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-Service-Error-Code": components["headers"]["X-Service-Error-Code"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "More than 5 requests in a second; try again in a second",
                 *       "code": "RATE_LIMITED"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description More than 120 requests in a minute from one address */
        TooManyRequests5: {
            headers: {
                "request-id": components["headers"]["request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "text/html": unknown;
                /**
                 * @example {
                 *       "error": "More than 120 requests in a minute from one address; try again in 30 seconds",
                 *       "code": "RATE_LIMITED"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A dependency is unavailable; retry after `Retry-After` seconds */
        Unavailable3: {
            headers: {
                "request-id": components["headers"]["request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "text/html": unknown;
                /**
                 * @example {
                 *       "error": "The service is temporarily unavailable",
                 *       "code": "UNAVAILABLE"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The resource does not exist */
        NotFound8: {
            headers: {
                "request-id": components["headers"]["request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "There is no menu with the id 'menu_4nX5cPq7Rk2mQw8Z'",
                 *       "code": "NOT_FOUND"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The resource belongs to another workspace; the subscription is cancelled */
        Forbidden10: {
            headers: {
                "request-id": components["headers"]["request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The code with the id 'gs1_4nX5cPq7Rk2mQw8Z' belongs to another workspace",
                 *       "code": "FORBIDDEN"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too many pictures are being read, or a dependency is unavailable; retry after `Retry-After` seconds */
        Unavailable4: {
            headers: {
                "request-id": components["headers"]["request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The service is temporarily unavailable",
                 *       "code": "UNAVAILABLE"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The resource belongs to another workspace; the key does not have the role owner or admin; the subscription is cancelled */
        Forbidden11: {
            headers: {
                "request-id": components["headers"]["request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The code with the id 'dom_4nX5cPq7Rk2mQw8Z' belongs to another workspace",
                 *       "code": "FORBIDDEN"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The path is not a valid GS1 Digital Link. The message uses the wording of GS1 */
        InvalidRequest4: {
            headers: {
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                RateLimit: components["headers"]["RateLimit2"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy2"];
                [name: string]: unknown;
            };
            content: {
                "text/html": unknown;
                /**
                 * @example {
                 *       "error": "AI (01): The numeric check digit is incorrect",
                 *       "code": "INVALID_REQUEST"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No level has an entry, or no entry has a link of this type */
        NotFound9: {
            headers: {
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                RateLimit: components["headers"]["RateLimit2"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy2"];
                [name: string]: unknown;
            };
            content: {
                "text/html": unknown;
                /**
                 * @example {
                 *       "error": "There are no links at this GS1 Digital Link",
                 *       "code": "NOT_FOUND"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too many requests from one address */
        TooManyRequests6: {
            headers: {
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                RateLimit: components["headers"]["RateLimit2"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy2"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "text/html": unknown;
                /**
                 * @example {
                 *       "error": "Too many requests from this address",
                 *       "code": "RATE_LIMITED"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The links cannot be looked up, or the scan cannot be counted, at the moment */
        Unavailable5: {
            headers: {
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                RateLimit: components["headers"]["RateLimit2"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy2"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "text/html": unknown;
                /**
                 * @example {
                 *       "error": "The links cannot be looked up at the moment",
                 *       "code": "UNAVAILABLE"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The path is not a valid GS1 Digital Link. The message uses the wording of GS1 */
        InvalidRequest5: {
            headers: {
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                RateLimit: components["headers"]["RateLimit2"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy2"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description No level has an entry, or no entry has a link of this type */
        NotFound10: {
            headers: {
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                RateLimit: components["headers"]["RateLimit2"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy2"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description Too many requests from one address */
        TooManyRequests7: {
            headers: {
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                RateLimit: components["headers"]["RateLimit2"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy2"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The links cannot be looked up, or the scan cannot be counted, at the moment */
        Unavailable6: {
            headers: {
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                RateLimit: components["headers"]["RateLimit2"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy2"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content?: never;
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description The id of this request in our logs: the `request-id` that you sent, if it has 8 to 64 letters, digits, `.`, `_` or `-`; otherwise a new one */
        "request-id": string;
        /** @description `limit=30, remaining=29, reset=1`: the requests that are left, and the seconds until the window ends */
        RateLimit: string;
        /** @description `30;w=1`: the requests allowed, and the length of the window in seconds */
        "RateLimit-Policy": string;
        /** @description The seconds after which a retry may succeed */
        "Retry-After": string;
        /** @description The required authentication */
        "WWW-Authenticate": string;
        /** @description `PLAN_LIMIT_REACHED` if the limit is a quota: apiCalls */
        "X-Service-Error-Code": string;
        /** @description `*`: pages of any origin may read the response */
        "Access-Control-Allow-Origin": string;
        /** @description `limit=60, remaining=59, reset=12`: the requests that are left, and the seconds until the minute ends */
        RateLimit2: string;
        /** @description `60;w=60`: requests from one address in a minute, whatever the response */
        "RateLimit-Policy2": string;
        /** @description `true` if this is a repeated response */
        "idempotency-replayed": string;
        /** @description `limit=600, remaining=599, reset=12`: the scans that are left, and the seconds until the minute ends */
        RateLimit3: string;
        /** @description `600;w=60`: scans from one address in a minute. A 4xx response is not counted */
        "RateLimit-Policy3": string;
        /** @description `private, no-store`: every scan reaches the service */
        "Cache-Control": string;
        /** @description `limit=60, remaining=59, reset=12`: the verifications that are left, and the seconds until the minute ends */
        RateLimit4: string;
        /** @description `60;w=60`: verifications from one address in a minute, whatever the response */
        "RateLimit-Policy4": string;
        /** @description The file name */
        "content-disposition": string;
        /** @description The headers on which the response depends */
        vary: string;
        /** @description `bytes`: a part can be requested with `Range` */
        "accept-ranges": string;
        /** @description The URL of the link */
        Location: string;
        /** @description The URL of the list of all links */
        Link: string;
        /** @description `scanCount` if the counts are the last known ones, because the store of scans is unavailable */
        "waymark-stale": string;
        /** @description `attachment`, with a file name */
        "content-disposition2": string;
        /** @description `no-cache`: every visit checks whether the page has changed */
        "cache-control": string;
        /** @description The URL of the bulk operation */
        location: string;
        /** @description The tag of this zip, for `If-Range` */
        etag: string;
        /** @description The position of the part, and the total size */
        "content-range": string;
        /** @description The tag of the current page. If it is sent as `If-None-Match` and the page has not changed, the response is 304 */
        etag2: string;
        /** @description `yes`: a decoder read this picture. A picture that is transparent beside the code or behind its modules was read on white and on black. `on white only` and `on dark only`: it was read on that background only */
        "x-qr-decoded": string;
        /** @description The URL of the job */
        location2: string;
        /** @description Names the bytes, for `If-None-Match` */
        etag3: string;
        /** @description The target of the scan */
        Location2: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listCodes: {
        parameters: {
            query?: {
                /** @description The maximum number of codes in a page. */
                limit?: number;
                /** @description The `pagination.nextCursor` of the previous page. Omit it for the first page. */
                cursor?: string;
                /** @description Only codes of this data type. */
                type?: "url" | "text" | "email" | "wifi" | "vcard" | "sms" | "phone" | "geo" | "vcalendar" | "mecard" | "gs1";
                /** @description Only codes with this status. */
                status?: "active" | "inactive";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of codes */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "waymark-stale": components["headers"]["waymark-stale"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "nX5cPq7Rk",
                     *           "type": "dynamic",
                     *           "name": "Table 7",
                     *           "dataType": "url",
                     *           "destination": "https://example.com/menu",
                     *           "redirectUrl": "https://qr.example.com/r/nX5cPq7Rk",
                     *           "status": "active",
                     *           "encrypted": false,
                     *           "passwordProtected": false,
                     *           "expiresAt": null,
                     *           "maxScans": null,
                     *           "scanCount": 0,
                     *           "secure": [],
                     *           "createdAt": "2026-05-04T12:00:00.000Z",
                     *           "updatedAt": "2026-05-04T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "total": 1,
                     *         "limit": 25,
                     *         "cursor": null,
                     *         "nextCursor": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CodeList"];
                };
            };
            /** @description A query parameter is invalid or unknown */
            400: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "surprise is not a known parameter; accepted are limit, cursor, type, status",
                     *       "code": "INVALID_REQUEST"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createCode: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique string of your choice. Within 24 hours, a request with the same key and body returns the first response, with `Idempotency-Replayed: true`. The same key with another body is refused with 422. See “Idempotency” in the introduction. */
                "Waymark-Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 4 MB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCodeRequest"];
            };
        };
        responses: {
            /** @description The new code, active */
            201: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "idempotency-replayed": components["headers"]["idempotency-replayed"];
                    /** @description The URL of the code in this API */
                    location?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "nX5cPq7Rk",
                     *       "type": "dynamic",
                     *       "name": "Table 7",
                     *       "dataType": "url",
                     *       "destination": "https://example.com/menu",
                     *       "redirectUrl": "https://qr.example.com/r/nX5cPq7Rk",
                     *       "status": "active",
                     *       "encrypted": false,
                     *       "passwordProtected": false,
                     *       "expiresAt": null,
                     *       "maxScans": null,
                     *       "scanCount": 0,
                     *       "secure": [],
                     *       "createdAt": "2026-05-04T12:00:00.000Z",
                     *       "updatedAt": "2026-05-04T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedCode"];
                };
            };
            400: components["responses"]["InvalidRequest3"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden9"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["Unprocessable2"];
            /** @description More requests than the plan allows in a second; the plan’s quota `apiCalls` or `dynamicQr` is used up */
            429: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description `PLAN_LIMIT_REACHED` if the limit is a quota: apiCalls, dynamicQr */
                    "X-Service-Error-Code"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "More than 5 requests in a second; try again in a second",
                     *       "code": "RATE_LIMITED"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportCodes: {
        parameters: {
            query?: {
                /** @description `csv` for spreadsheet programs, `ndjson` for programs, `nginx-map` for nginx, which then redirects without this service. */
                format?: "csv" | "ndjson" | "nginx-map";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "content-disposition": components["headers"]["content-disposition2"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": unknown;
                    "application/x-ndjson": unknown;
                    "text/plain": unknown;
                };
            };
            /** @description A query parameter is invalid or unknown */
            400: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "surprise is not a known parameter; accepted are format",
                     *       "code": "INVALID_REQUEST"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthenticated2"];
            403: components["responses"]["Forbidden"];
            /** @description More than 3 exports in an hour of one subscription; 8 downloads of the workspace are already in progress; more requests than the plan allows in a second; the plan’s quota `apiCalls` is used up */
            429: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Service-Error-Code": components["headers"]["X-Service-Error-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "More than 3 exports in an hour of one subscription; try again in 30 seconds",
                     *       "code": "RATE_LIMITED"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportCodeScans: {
        parameters: {
            query?: {
                /** @description The number of days in the window, including today. Default: 30. */
                days?: number;
                /** @description The first day of the window, in UTC. Given with `to`, instead of `days`. */
                from?: string;
                /** @description The last day of the window, in UTC. The window has at most 90 days. */
                to?: string;
            };
            header?: never;
            path: {
                /** @description The id of the code: the last part of its `redirectUrl`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "content-disposition": components["headers"]["content-disposition2"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": unknown;
                };
            };
            /** @description A query parameter is invalid or unknown */
            400: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "surprise is not a known parameter; accepted are days, from, to",
                     *       "code": "INVALID_REQUEST"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthenticated2"];
            403: components["responses"]["Forbidden2"];
            404: components["responses"]["NotFound2"];
            /** @description More than 3 exports in an hour of one subscription; 8 downloads of the workspace are already in progress; more requests than the plan allows in a second; the plan’s quota `apiCalls` is used up */
            429: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Service-Error-Code": components["headers"]["X-Service-Error-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "More than 3 exports in an hour of one subscription; try again in 30 seconds",
                     *       "code": "RATE_LIMITED"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable2"];
        };
    };
    getCode: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the code: the last part of its `redirectUrl`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The code */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "waymark-stale": components["headers"]["waymark-stale"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "nX5cPq7Rk",
                     *       "type": "dynamic",
                     *       "name": "Table 7",
                     *       "dataType": "url",
                     *       "destination": "https://example.com/menu",
                     *       "redirectUrl": "https://qr.example.com/r/nX5cPq7Rk",
                     *       "status": "active",
                     *       "encrypted": false,
                     *       "passwordProtected": false,
                     *       "expiresAt": null,
                     *       "maxScans": null,
                     *       "scanCount": 0,
                     *       "secure": [],
                     *       "createdAt": "2026-05-04T12:00:00.000Z",
                     *       "updatedAt": "2026-05-04T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["CodeWithConfiguration"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden2"];
            404: components["responses"]["NotFound2"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateCode: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the code: the last part of its `redirectUrl`. */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 4 MB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateCodeRequest"];
            };
        };
        responses: {
            /** @description The updated code, with its campaign, routing rules, deep link, style and sources if it has them */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "waymark-stale": components["headers"]["waymark-stale"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "nX5cPq7Rk",
                     *       "type": "dynamic",
                     *       "name": "Table 7",
                     *       "dataType": "url",
                     *       "destination": "https://example.org/summer",
                     *       "redirectUrl": "https://qr.example.com/r/nX5cPq7Rk",
                     *       "status": "active",
                     *       "encrypted": false,
                     *       "passwordProtected": false,
                     *       "expiresAt": null,
                     *       "maxScans": null,
                     *       "scanCount": 0,
                     *       "secure": [],
                     *       "createdAt": "2026-05-04T12:00:00.000Z",
                     *       "updatedAt": "2026-05-04T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["UpdatedCode"];
                };
            };
            400: components["responses"]["InvalidRequest2"];
            401: components["responses"]["Unauthenticated"];
            /** @description The resource belongs to another workspace; the brand kit belongs to another workspace; the subscription is cancelled */
            403: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The code with the id 'nX5cPq7Rk' belongs to another workspace",
                     *       "code": "FORBIDDEN"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound2"];
            /** @description The code is encrypted, is locked for compliance, or keeps being changed by other requests */
            409: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "An encrypted code cannot be updated",
                     *       "code": "CONFLICT"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteCode: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the code: the last part of its `redirectUrl`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The inactive code */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "waymark-stale": components["headers"]["waymark-stale"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "nX5cPq7Rk",
                     *       "type": "dynamic",
                     *       "name": "Table 7",
                     *       "dataType": "url",
                     *       "destination": "https://example.com/menu",
                     *       "redirectUrl": "https://qr.example.com/r/nX5cPq7Rk",
                     *       "status": "inactive",
                     *       "encrypted": false,
                     *       "passwordProtected": false,
                     *       "expiresAt": null,
                     *       "maxScans": null,
                     *       "scanCount": 0,
                     *       "secure": [],
                     *       "createdAt": "2026-05-04T12:00:00.000Z",
                     *       "updatedAt": "2026-05-04T12:00:00.000Z",
                     *       "activateUrl": "https://qr.example.com/api/qr/codes/nX5cPq7Rk/activate"
                     *     }
                     */
                    "application/json": components["schemas"]["DeactivatedCode"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden2"];
            404: components["responses"]["NotFound2"];
            /** @description The code is under legal hold */
            409: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "This code is in legal hold and cannot be deactivated",
                     *       "code": "CONFLICT"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    activateCode: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the code: the last part of its `redirectUrl`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The active code */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "waymark-stale": components["headers"]["waymark-stale"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "nX5cPq7Rk",
                     *       "type": "dynamic",
                     *       "name": "Table 7",
                     *       "dataType": "url",
                     *       "destination": "https://example.com/menu",
                     *       "redirectUrl": "https://qr.example.com/r/nX5cPq7Rk",
                     *       "status": "active",
                     *       "encrypted": false,
                     *       "passwordProtected": false,
                     *       "expiresAt": null,
                     *       "maxScans": null,
                     *       "scanCount": 0,
                     *       "secure": [],
                     *       "createdAt": "2026-05-04T12:00:00.000Z",
                     *       "updatedAt": "2026-05-04T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["CodeWithConfiguration"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden2"];
            404: components["responses"]["NotFound2"];
            /** @description The code is locked for compliance */
            409: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "This code is locked for compliance and cannot be activated",
                     *       "code": "CONFLICT"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCodeAnalytics: {
        parameters: {
            query?: {
                /** @description The length of the window in days, today included. */
                days?: number;
                /** @description The IANA time zone of the days, such as `Europe/Berlin`. Default: `UTC`. */
                timezone?: string;
            };
            header?: never;
            path: {
                /** @description The id of the code: the last part of its `redirectUrl`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Figures for every day of the window */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "nX5cPq7Rk",
                     *       "days": 2,
                     *       "from": "2026-05-03",
                     *       "to": "2026-05-04",
                     *       "timezone": "UTC",
                     *       "totalScans": 42,
                     *       "uniqueScans": 40,
                     *       "series": [
                     *         {
                     *           "date": "2026-05-03",
                     *           "scans": 30,
                     *           "uniqueScans": 29
                     *         },
                     *         {
                     *           "date": "2026-05-04",
                     *           "scans": 12,
                     *           "uniqueScans": 11
                     *         }
                     *       ],
                     *       "countries": [
                     *         {
                     *           "country": "DE",
                     *           "scans": 42
                     *         }
                     *       ],
                     *       "devices": [
                     *         {
                     *           "device": "mobile",
                     *           "scans": 42
                     *         }
                     *       ],
                     *       "os": [
                     *         {
                     *           "os": "ios",
                     *           "scans": 42
                     *         }
                     *       ],
                     *       "browsers": [
                     *         {
                     *           "browser": "Safari",
                     *           "scans": 42
                     *         }
                     *       ],
                     *       "referrers": [],
                     *       "sources": [],
                     *       "variants": [],
                     *       "rules": []
                     *     }
                     */
                    "application/json": components["schemas"]["CodeAnalytics"];
                };
            };
            /** @description A query parameter is invalid or unknown */
            400: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "surprise is not a known parameter; accepted are days, timezone",
                     *       "code": "INVALID_REQUEST"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden2"];
            404: components["responses"]["NotFound2"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable2"];
        };
    };
    explainCode: {
        parameters: {
            query?: {
                /** @description The country of the scanner: ISO 3166-1 alpha-2. Default: unknown. */
                country?: string;
                /** @description The scanner’s `User-Agent` header. Default: a phone whose operating system is not known. */
                userAgent?: string;
                /** @description The kind of device. Overrides `userAgent`. */
                device?: "mobile" | "tablet" | "desktop" | "bot";
                /** @description The operating system. Overrides `userAgent`. */
                os?: "other" | "ios" | "android" | "windows" | "macos" | "linux";
                /** @description When the scan happens: ISO 8601 with an offset, or milliseconds since 1970. Default: now. */
                at?: string;
                /** @description Whether the password has been entered. */
                unlocked?: boolean;
            };
            header?: never;
            path: {
                /** @description The id of the code: the last part of its `redirectUrl`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The decision and its reasons */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "nX5cPq7Rk",
                     *       "at": "2026-05-04T12:00:00.000Z",
                     *       "scan": {
                     *         "country": "DE",
                     *         "device": "mobile",
                     *         "os": "ios",
                     *         "counts": true
                     *       },
                     *       "decision": {
                     *         "kind": "redirect",
                     *         "location": "https://example.de/",
                     *         "fallback": null,
                     *         "status": 302
                     *       },
                     *       "decidedBy": "routing",
                     *       "ruleId": "de",
                     *       "variants": [],
                     *       "rules": [
                     *         {
                     *           "id": "de",
                     *           "matches": true,
                     *           "failed": []
                     *         }
                     *       ],
                     *       "steps": [
                     *         {
                     *           "step": "status",
                     *           "decided": false,
                     *           "reason": "The code is active"
                     *         },
                     *         {
                     *           "step": "expiry",
                     *           "decided": false,
                     *           "reason": "The code does not expire"
                     *         },
                     *         {
                     *           "step": "password",
                     *           "decided": false,
                     *           "reason": "The code has no password"
                     *         },
                     *         {
                     *           "step": "encryption",
                     *           "decided": false,
                     *           "reason": "The code is not encrypted"
                     *         },
                     *         {
                     *           "step": "routing",
                     *           "decided": true,
                     *           "reason": "The rule de is the first that matches"
                     *         },
                     *         {
                     *           "step": "cap",
                     *           "decided": false,
                     *           "reason": "12 of 1000 scans are taken"
                     *         }
                     *       ],
                     *       "maxScans": 1000,
                     *       "cap": {
                     *         "max": 1000,
                     *         "taken": 12,
                     *         "exact": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CodeExplanation"];
                };
            };
            /** @description A query parameter is invalid or unknown */
            400: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "surprise is not a known parameter; accepted are country, userAgent, device, os, at, unlocked",
                     *       "code": "INVALID_REQUEST"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden2"];
            404: components["responses"]["NotFound2"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCodeImage: {
        parameters: {
            query?: {
                /** @description The format of the picture. The saved `returnType` is ignored. */
                format?: "png" | "svg" | "webp" | "jpg" | "pdf";
                /** @description Pixels of each side. Default: `width` and `height` of the saved style, otherwise 512. */
                size?: number;
                /** @description The id of one of the code’s `sources`. Scans of this picture are counted for it. */
                source?: string;
            };
            header?: never;
            path: {
                /** @description The id of the code: the last part of its `redirectUrl`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    /** @description Changes with the picture */
                    etag?: string;
                    /** @description `yes`: a decoder read this picture. A picture that is transparent beside the code or behind its modules was read on white and on black. `on white only` and `on dark only`: it was read on that background only. `no: too small`: it cannot be read at this size, but can at a larger one */
                    "x-qr-decoded"?: string;
                    /** @description Weaknesses of a style that can be read: too little contrast, light modules on a dark background, or a setting that would be refused for a new code, such as a caption in a weak colour */
                    "x-qr-warnings"?: string;
                    /** @description Present if the picture is too small: the smallest size at which it can be read, `300` or `300x400` */
                    "x-qr-size-min"?: string;
                    /** @description `brandKit` if the code cannot be read in the current look of its brand kit, or the logo of the kit is unavailable. The picture then has the last look that could be read, or else no brand kit */
                    "waymark-stale"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "image/png": unknown;
                    "image/svg+xml": unknown;
                    "image/webp": unknown;
                    "image/jpeg": unknown;
                    "application/pdf": unknown;
                };
            };
            /** @description The picture has not changed: its tag is in `If-None-Match` */
            304: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    /** @description The tag of the picture */
                    etag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A query parameter is invalid or unknown */
            400: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "surprise is not a known parameter; accepted are format, size, source",
                     *       "code": "INVALID_REQUEST"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden2"];
            404: components["responses"]["NotFound2"];
            /** @description The saved style cannot be drawn or decoded. The message suggests a change */
            422: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "name must have at most 120 characters; given: 130",
                     *       "code": "UNPROCESSABLE"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDownloadUrl: {
        parameters: {
            query?: {
                /** @description The format of the picture. The saved `returnType` is ignored. */
                format?: "png" | "svg" | "webp" | "jpg" | "pdf";
                /** @description Pixels of each side. Default: `width` and `height` of the saved style, otherwise 512. */
                size?: number;
                /** @description The id of one of the code’s `sources`. Scans of this picture are counted for it. */
                source?: string;
                /** @description How long the link works, in seconds. */
                ttl?: number;
            };
            header?: never;
            path: {
                /** @description The id of the code: the last part of its `redirectUrl`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "https://api.example.com/api/qr/render/nX5cPq7Rk?format=png&exp=1777899600000&sig=mF9…",
                     *       "format": "png",
                     *       "expiresAt": "2026-05-04T13:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["DownloadUrl"];
                };
            };
            /** @description A query parameter is invalid or unknown */
            400: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "surprise is not a known parameter; accepted are format, size, source, ttl",
                     *       "code": "INVALID_REQUEST"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden2"];
            404: components["responses"]["NotFound2"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    renderSigned: {
        parameters: {
            query?: {
                /** @description The value that was signed. */
                format?: string;
                /** @description The value that was signed. */
                size?: string;
                /** @description The value that was signed. */
                source?: string;
                /** @description When the link expires, in milliseconds since 1970. */
                exp?: string;
                /** @description The signature. */
                sig?: string;
            };
            header?: never;
            path: {
                /** @description The id of the code: the last part of its `redirectUrl`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    /** @description Changes with the picture */
                    etag?: string;
                    /** @description `yes`: a decoder read this picture. A picture that is transparent beside the code or behind its modules was read on white and on black. `on white only` and `on dark only`: it was read on that background only. `no: too small`: it cannot be read at this size, but can at a larger one */
                    "x-qr-decoded"?: string;
                    /** @description Weaknesses of a style that can be read: too little contrast, light modules on a dark background, or a setting that would be refused for a new code, such as a caption in a weak colour */
                    "x-qr-warnings"?: string;
                    /** @description Present if the picture is too small: the smallest size at which it can be read, `300` or `300x400` */
                    "x-qr-size-min"?: string;
                    /** @description `brandKit` if the code cannot be read in the current look of its brand kit, or the logo of the kit is unavailable. The picture then has the last look that could be read, or else no brand kit */
                    "waymark-stale"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "image/png": unknown;
                    "image/svg+xml": unknown;
                    "image/webp": unknown;
                    "image/jpeg": unknown;
                    "application/pdf": unknown;
                };
            };
            /** @description The picture has not changed: its tag is in `If-None-Match` */
            304: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    /** @description The tag of the picture */
                    etag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A query parameter is repeated or too long */
            400: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "format must be given once",
                     *       "code": "INVALID_REQUEST"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The link has expired, or was never created */
            404: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "There is no code with the id 'nX5cPq7Rk'",
                     *       "code": "NOT_FOUND"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The saved style cannot be drawn or decoded. The message suggests a change */
            422: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "name must have at most 120 characters; given: 130",
                     *       "code": "UNPROCESSABLE"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description More than 60 requests in a minute from one address */
            429: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "More than 60 requests in a minute from one address; try again in 30 seconds",
                     *       "code": "RATE_LIMITED"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["InternalError"];
            /** @description Too many pictures are being drawn; retry after `Retry-After` seconds */
            503: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The service is temporarily unavailable",
                     *       "code": "UNAVAILABLE"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createStaticCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 4 MB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateStaticCodeRequest"];
            };
        };
        responses: {
            /** @description The picture, which is not stored */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "x-qr-decoded": components["headers"]["x-qr-decoded"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "static",
                     *       "dataType": "url",
                     *       "format": "png",
                     *       "image": "data:image/png;base64,iVBORw0KGgo="
                     *     }
                     */
                    "application/json": components["schemas"]["StaticCode"];
                };
            };
            400: components["responses"]["InvalidRequest2"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden9"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    generateCode: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique string of your choice. Within 24 hours, a request with the same key and body returns the first response, with `Idempotency-Replayed: true`. The same key with another body is refused with 422. See “Idempotency” in the introduction. */
                "Waymark-Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 4 MB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["GenerateCodeRequest"];
            };
        };
        responses: {
            /** @description The picture, which is not stored */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "idempotency-replayed": components["headers"]["idempotency-replayed"];
                    "x-qr-decoded": components["headers"]["x-qr-decoded"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "static",
                     *       "dataType": "url",
                     *       "format": "png",
                     *       "image": "data:image/png;base64,iVBORw0KGgo="
                     *     }
                     */
                    "application/json": components["schemas"]["StaticCode"];
                };
            };
            /** @description The new code, active */
            201: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "idempotency-replayed": components["headers"]["idempotency-replayed"];
                    /** @description The URL of the code in this API */
                    location?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "nX5cPq7Rk",
                     *       "type": "dynamic",
                     *       "name": "Table 7",
                     *       "dataType": "url",
                     *       "destination": "https://example.com/menu",
                     *       "redirectUrl": "https://qr.example.com/r/nX5cPq7Rk",
                     *       "status": "active",
                     *       "encrypted": false,
                     *       "passwordProtected": false,
                     *       "expiresAt": null,
                     *       "maxScans": null,
                     *       "scanCount": 0,
                     *       "secure": [],
                     *       "createdAt": "2026-05-04T12:00:00.000Z",
                     *       "updatedAt": "2026-05-04T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedCode"];
                };
            };
            400: components["responses"]["InvalidRequest3"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden9"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["Unprocessable2"];
            /** @description More requests than the plan allows in a second; the plan’s quota `apiCalls` or `dynamicQr` is used up */
            429: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description `PLAN_LIMIT_REACHED` if the limit is a quota: apiCalls, dynamicQr */
                    "X-Service-Error-Code"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "More than 5 requests in a second; try again in a second",
                     *       "code": "RATE_LIMITED"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    generatePublicCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 2 MB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["GeneratePublicCodeRequest"];
            };
        };
        responses: {
            /** @description The picture, which is not stored */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "x-qr-decoded": components["headers"]["x-qr-decoded"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "static",
                     *       "dataType": "url",
                     *       "format": "png",
                     *       "image": "data:image/png;base64,iVBORw0KGgo="
                     *     }
                     */
                    "application/json": components["schemas"]["StaticCode"];
                };
            };
            400: components["responses"]["InvalidRequest2"];
            413: components["responses"]["BodyTooLarge3"];
            422: components["responses"]["Unprocessable"];
            /** @description More than 10 requests in 24 hours from one address; a logo from the address took too much to draw, and no logo is accepted from it for `Retry-After` seconds */
            429: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "More than 10 requests in 24 hours from one address; try again in 30 seconds",
                     *       "code": "RATE_LIMITED"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["InternalError"];
            /** @description Too many pictures are being drawn, and requests with a key have priority; retry after `Retry-After` seconds */
            503: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The service is temporarily unavailable",
                     *       "code": "UNAVAILABLE"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createCodesInBulk: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique string of your choice. Within 24 hours, a request with the same key and body returns the first response, with `Idempotency-Replayed: true`. The same key with another body is refused with 422. See “Idempotency” in the introduction. */
                "Waymark-Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 25 MB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCodesInBulkRequest"];
            };
        };
        responses: {
            /** @description The bulk operation is stored. Its rows are processed after this response */
            202: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "idempotency-replayed": components["headers"]["idempotency-replayed"];
                    location: components["headers"]["location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "bulkId": "blk_7Yh2kPq9RsTuVwXy",
                     *       "kind": "create",
                     *       "status": "pending",
                     *       "total": 1000,
                     *       "processed": 0,
                     *       "succeeded": 0,
                     *       "failed": 0,
                     *       "createdAt": "2026-05-04T12:00:00.000Z",
                     *       "updatedAt": "2026-05-04T12:00:01.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["BulkOperation"];
                };
            };
            /** @description A required field is missing, a field is unknown or has the wrong JSON type, or the body is not JSON; a query parameter is sent, but none is accepted; the idempotency key is empty or too long */
            400: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rows[1].uid is required",
                     *       "code": "INVALID_REQUEST"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthenticated2"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge4"];
            /** @description A field has the right type but an invalid value; the idempotency key was used for a different request */
            422: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Waymark-Idempotency-Key was used before, for a different request",
                     *       "code": "UNPROCESSABLE"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description More than 5 bulk calls in a minute of one subscription; more requests than the plan allows in a second; the plan’s quota `apiCalls` or `bulkOrders` or `dynamicQr` is used up */
            429: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description `PLAN_LIMIT_REACHED` if the limit is a quota: apiCalls, bulkOrders, dynamicQr */
                    "X-Service-Error-Code"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "More than 5 bulk calls in a minute of one subscription; try again in 30 seconds",
                     *       "code": "RATE_LIMITED"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getBulkOperation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the bulk operation. */
                bulkId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The progress */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "bulkId": "blk_7Yh2kPq9RsTuVwXy",
                     *       "kind": "create",
                     *       "status": "processing",
                     *       "total": 1000,
                     *       "processed": 300,
                     *       "succeeded": 298,
                     *       "failed": 2,
                     *       "createdAt": "2026-05-04T12:00:00.000Z",
                     *       "updatedAt": "2026-05-04T12:00:01.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["BulkOperation"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden7"];
            /** @description The resource does not exist */
            404: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "There is no bulk operation with the id 'blk_7Yh2kPq9RsTuVwXy'",
                     *       "code": "NOT_FOUND"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getBulkResult: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the bulk operation. */
                bulkId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result of each row */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "uid": "table-1",
                     *         "status": "created",
                     *         "id": "nX5cPq7Rk",
                     *         "redirectUrl": "https://qr.example.com/r/nX5cPq7Rk"
                     *       },
                     *       {
                     *         "uid": "table-2",
                     *         "status": "failed",
                     *         "message": "data must be a URL that begins with http:// or https://; given: 'example'",
                     *         "code": "UNPROCESSABLE"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["GetBulkResultResponse"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden7"];
            /** @description The bulk operation does not exist, or its result was already fetched or removed */
            404: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "There is no bulk operation with the id 'blk_7Yh2kPq9RsTuVwXy'",
                     *       "code": "NOT_FOUND"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The bulk operation is not completed or has failed, or another request is fetching the result */
            409: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "blk_7Yh2kPq9RsTuVwXy is not completed: 300 of 1000 rows are done",
                     *       "code": "CONFLICT"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    uploadCodes: {
        parameters: {
            query?: {
                /** @description `true`: nothing is created or counted, and the answer says what would be. */
                dryRun?: boolean;
            };
            header?: {
                /** @description A unique string of your choice. Within 24 hours, a request with the same key and body returns the first response, with `Idempotency-Replayed: true`. The same key with another body is refused with 422. See “Idempotency” in the introduction. */
                "Waymark-Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 10 MB. */
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["UploadCodesRequest"];
            };
        };
        responses: {
            /** @description Nothing was submitted: the call was a dry run, or no row is valid */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "idempotency-replayed": components["headers"]["idempotency-replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "bulkId": null,
                     *       "sheetRows": 3,
                     *       "submitted": 0,
                     *       "invalid": [
                     *         {
                     *           "row": 4,
                     *           "column": "expiresAt",
                     *           "message": "expiresAt must be in the future; given: '2020-01-31'"
                     *         }
                     *       ],
                     *       "warnings": [
                     *         {
                     *           "message": "Columns that are not known are ignored: 'Remarks'"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["UploadReport"];
                };
            };
            /** @description The valid rows are stored. Their codes are created after this response */
            202: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "idempotency-replayed": components["headers"]["idempotency-replayed"];
                    location: components["headers"]["location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "bulkId": "blk_7Yh2kPq9RsTuVwXy",
                     *       "kind": "create",
                     *       "status": "pending",
                     *       "total": 2,
                     *       "processed": 0,
                     *       "succeeded": 0,
                     *       "failed": 0,
                     *       "createdAt": "2026-05-04T12:00:00.000Z",
                     *       "updatedAt": "2026-05-04T12:00:01.000Z",
                     *       "sheetRows": 3,
                     *       "submitted": 2,
                     *       "invalid": [
                     *         {
                     *           "row": 4,
                     *           "column": "expiresAt",
                     *           "message": "expiresAt must be in the future; given: '2020-01-31'"
                     *         }
                     *       ],
                     *       "warnings": [
                     *         {
                     *           "message": "Columns that are not known are ignored: 'Remarks'"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["UploadedBulkOperation"];
                };
            };
            /** @description A required field is missing, a field is unknown, or the body is not a form; a query parameter is invalid or unknown; the idempotency key is empty or too long */
            400: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "surprise is not a known field",
                     *       "code": "INVALID_REQUEST"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthenticated2"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            /** @description The file is larger than 10 MB */
            413: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "file must not be larger than 10 MB",
                     *       "code": "LIMIT_FILE_SIZE"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            422: components["responses"]["Unprocessable2"];
            /** @description More than 5 bulk calls in a minute of one subscription; more requests than the plan allows in a second; the plan’s quota `apiCalls` or `bulkOrders` or `dynamicQr` is used up */
            429: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description `PLAN_LIMIT_REACHED` if the limit is a quota: apiCalls, bulkOrders, dynamicQr */
                    "X-Service-Error-Code"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "More than 5 bulk calls in a minute of one subscription; try again in 30 seconds",
                     *       "code": "RATE_LIMITED"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUploadTemplate: {
        parameters: {
            query?: {
                /** @description `csv`, or `xlsx` with lists of values and a sheet that explains the columns. */
                format?: "csv" | "xlsx";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "content-disposition": components["headers"]["content-disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                };
            };
            /** @description A query parameter is invalid or unknown */
            400: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "surprise is not a known parameter; accepted are format",
                     *       "code": "INVALID_REQUEST"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceCodesInBulk: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique string of your choice. Within 24 hours, a request with the same key and body returns the first response, with `Idempotency-Replayed: true`. The same key with another body is refused with 422. See “Idempotency” in the introduction. */
                "Waymark-Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 25 MB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplaceCodesInBulkRequest"];
            };
        };
        responses: {
            /** @description With `dryRun`: what would change */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "idempotency-replayed": components["headers"]["idempotency-replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total": 1,
                     *       "remaining": 0,
                     *       "changes": [
                     *         {
                     *           "id": "nX5cPq7Rk",
                     *           "destination": "https://old.example/menu",
                     *           "newDestination": "https://new.example/menu"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ReplacementDryRun"];
                };
            };
            /** @description The bulk operation is stored. Its rows are processed after this response */
            202: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "idempotency-replayed": components["headers"]["idempotency-replayed"];
                    location: components["headers"]["location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "bulkId": "blk_7Yh2kPq9RsTuVwXy",
                     *       "kind": "replace",
                     *       "status": "pending",
                     *       "total": 1000,
                     *       "processed": 0,
                     *       "succeeded": 0,
                     *       "failed": 0,
                     *       "createdAt": "2026-05-04T12:00:00.000Z",
                     *       "updatedAt": "2026-05-04T12:00:01.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SubmittedReplacement"];
                };
            };
            /** @description A required field is missing, a field is unknown or has the wrong JSON type, or the body is not JSON; a query parameter is sent, but none is accepted; the idempotency key is empty or too long */
            400: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rows[1].id is required",
                     *       "code": "INVALID_REQUEST"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthenticated2"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge4"];
            /** @description A field has the right type but an invalid value; the idempotency key was used for a different request */
            422: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "find is in no destination; given: 'https://old.example/'",
                     *       "code": "UNPROCESSABLE"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description More than 5 bulk calls in a minute of one subscription; more requests than the plan allows in a second; the plan’s quota `apiCalls` or `bulkOrders` is used up */
            429: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description `PLAN_LIMIT_REACHED` if the limit is a quota: apiCalls, bulkOrders */
                    "X-Service-Error-Code"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "More than 5 bulk calls in a minute of one subscription; try again in 30 seconds",
                     *       "code": "RATE_LIMITED"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    generateCodesInBulk: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique string of your choice. Within 24 hours, a request with the same key and body returns the first response, with `Idempotency-Replayed: true`. The same key with another body is refused with 422. See “Idempotency” in the introduction. */
                "Waymark-Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 25 MB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["GenerateCodesInBulkRequest"];
            };
        };
        responses: {
            /** @description The bulk operation is stored. Its rows are processed after this response */
            202: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "idempotency-replayed": components["headers"]["idempotency-replayed"];
                    location: components["headers"]["location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "bulkId": "blk_7Yh2kPq9RsTuVwXy",
                     *       "kind": "generate",
                     *       "status": "pending",
                     *       "total": 1000,
                     *       "processed": 0,
                     *       "succeeded": 0,
                     *       "failed": 0,
                     *       "createdAt": "2026-05-04T12:00:00.000Z",
                     *       "updatedAt": "2026-05-04T12:00:01.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["BulkOperation"];
                };
            };
            /** @description A required field is missing, a field is unknown or has the wrong JSON type, or the body is not JSON; a query parameter is sent, but none is accepted; the idempotency key is empty or too long */
            400: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rows[1].uid is required",
                     *       "code": "INVALID_REQUEST"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthenticated2"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge4"];
            /** @description A field has the right type but an invalid value; the idempotency key was used for a different request */
            422: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Waymark-Idempotency-Key was used before, for a different request",
                     *       "code": "UNPROCESSABLE"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description More than 5 bulk calls in a minute of one subscription; more requests than the plan allows in a second; the plan’s quota `apiCalls` or `bulkOrders` is used up */
            429: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description `PLAN_LIMIT_REACHED` if the limit is a quota: apiCalls, bulkOrders */
                    "X-Service-Error-Code"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "More than 5 bulk calls in a minute of one subscription; try again in 30 seconds",
                     *       "code": "RATE_LIMITED"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getBulkGenerate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the bulk operation. */
                bulkId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The progress */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "bulkId": "blk_7Yh2kPq9RsTuVwXy",
                     *       "kind": "generate",
                     *       "status": "processing",
                     *       "total": 1000,
                     *       "processed": 300,
                     *       "succeeded": 298,
                     *       "failed": 2,
                     *       "createdAt": "2026-05-04T12:00:00.000Z",
                     *       "updatedAt": "2026-05-04T12:00:01.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["BulkOperation"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden7"];
            /** @description The resource does not exist */
            404: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "There is no bulk operation with the id 'blk_7Yh2kPq9RsTuVwXy'",
                     *       "code": "NOT_FOUND"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getBulkGenerateResult: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the bulk operation. */
                bulkId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The zip */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    etag: components["headers"]["etag"];
                    "accept-ranges": components["headers"]["accept-ranges"];
                    "content-disposition": components["headers"]["content-disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": unknown;
                };
            };
            /** @description The part of the zip that `Range` requests */
            206: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    etag: components["headers"]["etag"];
                    "accept-ranges": components["headers"]["accept-ranges"];
                    "content-disposition": components["headers"]["content-disposition"];
                    "content-range": components["headers"]["content-range"];
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": unknown;
                };
            };
            /** @description The zip has not changed: its tag is in `If-None-Match` */
            304: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden7"];
            /** @description The bulk operation does not exist, or its zip was removed after a day or lost */
            404: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "There is no bulk operation with the id 'blk_7Yh2kPq9RsTuVwXy'",
                     *       "code": "NOT_FOUND"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The bulk operation is not completed: retry after `Retry-After` seconds. Or its zip could not be created */
            409: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "blk_7Yh2kPq9RsTuVwXy is not completed: 300 of 1000 pictures are done",
                     *       "code": "CONFLICT"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `If-Match` does not name this zip */
            412: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "If-Match must name \"8q2-v1\"; given: \"8q2-v0\"",
                     *       "code": "PRECONDITION_FAILED"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `Range` begins after the end of the zip */
            416: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Range must begin before the end of the file, which has 1024 bytes; given: 'bytes=1024-'",
                     *       "code": "RANGE_NOT_SATISFIABLE"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listLandingPages: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The landing pages */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "pages": [
                     *         {
                     *           "pageId": "page_4nX5cPq7Rk2mQw8Z",
                     *           "workspaceId": "ws_7Rk2mQw8Z4nX5cPq",
                     *           "name": "Corner café",
                     *           "status": "active",
                     *           "headline": "Corner Café",
                     *           "subheadline": "Coffee and cake since 1987",
                     *           "body": null,
                     *           "heroImageUrl": "https://example.com/front.jpg",
                     *           "avatarUrl": null,
                     *           "buttons": [
                     *             {
                     *               "id": "menu",
                     *               "label": "See the menu",
                     *               "destination": "https://example.com/menu",
                     *               "hint": "Changes every week"
                     *             },
                     *             {
                     *               "id": "call",
                     *               "label": "Call us",
                     *               "destination": "tel:+4930123456"
                     *             }
                     *           ],
                     *           "socials": [
                     *             {
                     *               "id": "instagram",
                     *               "platform": "instagram",
                     *               "url": "https://instagram.com/cornercafe"
                     *             }
                     *           ],
                     *           "theme": {
                     *             "background": "#fff7ed",
                     *             "accent": "#9a3412"
                     *           },
                     *           "viewCount": 318,
                     *           "createdAt": 1777896000000,
                     *           "updatedAt": 1777899600000
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["LandingPageList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests4"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createLandingPage: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique string of your choice. Within 24 hours, a request with the same key and body returns the first response, with `Idempotency-Replayed: true`. The same key with another body is refused with 422. See “Idempotency” in the introduction. */
                "Waymark-Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 512 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateLandingPage"];
            };
        };
        responses: {
            /** @description The new landing page */
            201: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "idempotency-replayed": components["headers"]["idempotency-replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "pageId": "page_4nX5cPq7Rk2mQw8Z",
                     *       "workspaceId": "ws_7Rk2mQw8Z4nX5cPq",
                     *       "name": "Corner café",
                     *       "status": "active",
                     *       "headline": "Corner Café",
                     *       "subheadline": "Coffee and cake since 1987",
                     *       "body": null,
                     *       "heroImageUrl": "https://example.com/front.jpg",
                     *       "avatarUrl": null,
                     *       "buttons": [
                     *         {
                     *           "id": "menu",
                     *           "label": "See the menu",
                     *           "destination": "https://example.com/menu",
                     *           "hint": "Changes every week"
                     *         },
                     *         {
                     *           "id": "call",
                     *           "label": "Call us",
                     *           "destination": "tel:+4930123456"
                     *         }
                     *       ],
                     *       "socials": [
                     *         {
                     *           "id": "instagram",
                     *           "platform": "instagram",
                     *           "url": "https://instagram.com/cornercafe"
                     *         }
                     *       ],
                     *       "theme": {
                     *         "background": "#fff7ed",
                     *         "accent": "#9a3412"
                     *       },
                     *       "viewCount": 318,
                     *       "createdAt": 1777896000000,
                     *       "updatedAt": 1777899600000
                     *     }
                     */
                    "application/json": components["schemas"]["LandingPage"];
                };
            };
            400: components["responses"]["InvalidRequest3"];
            401: components["responses"]["Unauthenticated"];
            /** @description The plan does not include the feature; the subscription is cancelled */
            403: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "landingPages is not on the Starter plan; plans with it: Growth, Business, Enterprise",
                     *       "code": "FEATURE_NOT_ON_PLAN",
                     *       "capability": "landingPages",
                     *       "plans": [
                     *         "growth",
                     *         "business",
                     *         "enterprise"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The workspace has the maximum number of landing pages */
            409: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "A workspace has at most 100 landing pages; delete one first",
                     *       "code": "CONFLICT"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than 512 KB */
            413: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The body must not be larger than 512 KB",
                     *       "code": "BODY_TOO_LARGE"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            422: components["responses"]["Unprocessable2"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getLandingPage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `pageId` of the landing page. */
                pageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The landing page */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "pageId": "page_4nX5cPq7Rk2mQw8Z",
                     *       "workspaceId": "ws_7Rk2mQw8Z4nX5cPq",
                     *       "name": "Corner café",
                     *       "status": "active",
                     *       "headline": "Corner Café",
                     *       "subheadline": "Coffee and cake since 1987",
                     *       "body": null,
                     *       "heroImageUrl": "https://example.com/front.jpg",
                     *       "avatarUrl": null,
                     *       "buttons": [
                     *         {
                     *           "id": "menu",
                     *           "label": "See the menu",
                     *           "destination": "https://example.com/menu",
                     *           "hint": "Changes every week"
                     *         },
                     *         {
                     *           "id": "call",
                     *           "label": "Call us",
                     *           "destination": "tel:+4930123456"
                     *         }
                     *       ],
                     *       "socials": [
                     *         {
                     *           "id": "instagram",
                     *           "platform": "instagram",
                     *           "url": "https://instagram.com/cornercafe"
                     *         }
                     *       ],
                     *       "theme": {
                     *         "background": "#fff7ed",
                     *         "accent": "#9a3412"
                     *       },
                     *       "viewCount": 318,
                     *       "createdAt": 1777896000000,
                     *       "updatedAt": 1777899600000
                     *     }
                     */
                    "application/json": components["schemas"]["LandingPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            /** @description The resource belongs to another workspace; the subscription is cancelled */
            403: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The landing page with the id 'page_4nX5cPq7Rk2mQw8Z' belongs to another workspace",
                     *       "code": "FORBIDDEN"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound5"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteLandingPage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `pageId` of the landing page. */
                pageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The landing page is deleted */
            204: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            /** @description The resource belongs to another workspace; the subscription is cancelled */
            403: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The landing page with the id 'page_4nX5cPq7Rk2mQw8Z' belongs to another workspace",
                     *       "code": "FORBIDDEN"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound5"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateLandingPage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `pageId` of the landing page. */
                pageId: string;
            };
            cookie?: never;
        };
        /** @description At most 512 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateLandingPage"];
            };
        };
        responses: {
            /** @description The updated landing page */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "pageId": "page_4nX5cPq7Rk2mQw8Z",
                     *       "workspaceId": "ws_7Rk2mQw8Z4nX5cPq",
                     *       "name": "Corner café",
                     *       "status": "active",
                     *       "headline": "Corner Café",
                     *       "subheadline": "Coffee and cake since 1987",
                     *       "body": null,
                     *       "heroImageUrl": "https://example.com/front.jpg",
                     *       "avatarUrl": null,
                     *       "buttons": [
                     *         {
                     *           "id": "menu",
                     *           "label": "See the menu",
                     *           "destination": "https://example.com/menu",
                     *           "hint": "Changes every week"
                     *         },
                     *         {
                     *           "id": "call",
                     *           "label": "Call us",
                     *           "destination": "tel:+4930123456"
                     *         }
                     *       ],
                     *       "socials": [
                     *         {
                     *           "id": "instagram",
                     *           "platform": "instagram",
                     *           "url": "https://instagram.com/cornercafe"
                     *         }
                     *       ],
                     *       "theme": {
                     *         "background": "#fff7ed",
                     *         "accent": "#9a3412"
                     *       },
                     *       "viewCount": 318,
                     *       "createdAt": 1777896000000,
                     *       "updatedAt": 1777899600000
                     *     }
                     */
                    "application/json": components["schemas"]["LandingPage"];
                };
            };
            400: components["responses"]["InvalidRequest2"];
            401: components["responses"]["Unauthenticated"];
            /** @description The resource belongs to another workspace; the plan does not include the feature; the subscription is cancelled */
            403: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The landing page with the id 'page_4nX5cPq7Rk2mQw8Z' belongs to another workspace",
                     *       "code": "FORBIDDEN"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound5"];
            /** @description The body is larger than 512 KB */
            413: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The body must not be larger than 512 KB",
                     *       "code": "BODY_TOO_LARGE"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    uploadLandingPageImage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `pageId` of the landing page. */
                pageId: string;
            };
            cookie?: never;
        };
        /** @description At most 5 MB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["LandingPageImageUpload"];
            };
        };
        responses: {
            /** @description The picture is stored, and is on the page */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "kind": "avatar",
                     *       "url": "https://qr.example.com/i/4nX5cPq7Rk2mQw8ZaB3dE/384.jpg"
                     *     }
                     */
                    "application/json": components["schemas"]["LandingPageImage"];
                };
            };
            400: components["responses"]["InvalidRequest2"];
            401: components["responses"]["Unauthenticated"];
            /** @description The resource belongs to another workspace; the plan does not include the feature; the subscription is cancelled */
            403: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The landing page with the id 'page_4nX5cPq7Rk2mQw8Z' belongs to another workspace",
                     *       "code": "FORBIDDEN"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound5"];
            /** @description The workspace has 1,000 pictures */
            409: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "A workspace has at most 1,000 uploaded images; those to which no page has referred for 7 days are removed in the night",
                     *       "code": "CONFLICT"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The file is larger than 5 MB */
            413: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "dataUrl must not be larger than 5 MB",
                     *       "code": "LIMIT_FILE_SIZE"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The data URI is invalid, is not in base64, or names another type than that of its content; or the picture has another format, is damaged, has more than 50 megapixels, or takes too long to read */
            422: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "dataUrl says that it is image/png, and its content is image/jpeg: both must be the same",
                     *       "code": "UNPROCESSABLE"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests3"];
            500: components["responses"]["InternalError"];
            /** @description Too many pictures are being read, or the storage is full or unavailable. Nothing was stored: retry after `Retry-After` seconds */
            503: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The service is temporarily unavailable",
                     *       "code": "UNAVAILABLE"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    openLandingPage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the landing page. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    etag: components["headers"]["etag2"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                };
            };
            /** @description The page has not changed: its tag is in `If-None-Match` */
            304: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    etag: components["headers"]["etag2"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The landing page does not exist or is paused. Browsers get a page that says so */
            404: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                    /**
                     * @example {
                     *       "error": "There is no landing page with this id",
                     *       "code": "NOT_FOUND"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests5"];
            500: components["responses"]["InternalError3"];
            503: components["responses"]["Unavailable3"];
        };
    };
    listForms: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The forms */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "forms": [
                     *         {
                     *           "formId": "form_4nX5cPq7Rk2mQw8Z",
                     *           "workspaceId": "ws_7Rk2mQw8Z4nX5cPq",
                     *           "name": "Contact",
                     *           "description": "Write to us.",
                     *           "fields": [
                     *             {
                     *               "id": "name",
                     *               "type": "text",
                     *               "label": "Your name",
                     *               "required": true
                     *             },
                     *             {
                     *               "id": "email",
                     *               "type": "email",
                     *               "label": "E-mail",
                     *               "required": true,
                     *               "helpText": "We answer within a day"
                     *             },
                     *             {
                     *               "id": "topic",
                     *               "type": "select",
                     *               "label": "What is it about?",
                     *               "options": [
                     *                 "A booking",
                     *                 "Something else"
                     *               ],
                     *               "required": false
                     *             }
                     *           ],
                     *           "status": "active",
                     *           "redirectAfterSubmit": null,
                     *           "thankYouMessage": "Thank you. We answer within a day.",
                     *           "submitLabel": "Send",
                     *           "logoUrl": null,
                     *           "theme": {
                     *             "accent": "#0c4a6e"
                     *           },
                     *           "socials": [],
                     *           "submissionCount": 12,
                     *           "createdAt": 1777896000000,
                     *           "updatedAt": 1777899600000
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["FormList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests4"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createForm: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique string of your choice. Within 24 hours, a request with the same key and body returns the first response, with `Idempotency-Replayed: true`. The same key with another body is refused with 422. See “Idempotency” in the introduction. */
                "Waymark-Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 4 MB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateForm"];
            };
        };
        responses: {
            /** @description The new form */
            201: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "idempotency-replayed": components["headers"]["idempotency-replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "formId": "form_4nX5cPq7Rk2mQw8Z",
                     *       "workspaceId": "ws_7Rk2mQw8Z4nX5cPq",
                     *       "name": "Contact",
                     *       "description": "Write to us.",
                     *       "fields": [
                     *         {
                     *           "id": "name",
                     *           "type": "text",
                     *           "label": "Your name",
                     *           "required": true
                     *         },
                     *         {
                     *           "id": "email",
                     *           "type": "email",
                     *           "label": "E-mail",
                     *           "required": true,
                     *           "helpText": "We answer within a day"
                     *         },
                     *         {
                     *           "id": "topic",
                     *           "type": "select",
                     *           "label": "What is it about?",
                     *           "options": [
                     *             "A booking",
                     *             "Something else"
                     *           ],
                     *           "required": false
                     *         }
                     *       ],
                     *       "status": "active",
                     *       "redirectAfterSubmit": null,
                     *       "thankYouMessage": "Thank you. We answer within a day.",
                     *       "submitLabel": "Send",
                     *       "logoUrl": null,
                     *       "theme": {
                     *         "accent": "#0c4a6e"
                     *       },
                     *       "socials": [],
                     *       "submissionCount": 12,
                     *       "createdAt": 1777896000000,
                     *       "updatedAt": 1777899600000
                     *     }
                     */
                    "application/json": components["schemas"]["Form"];
                };
            };
            400: components["responses"]["InvalidRequest3"];
            401: components["responses"]["Unauthenticated"];
            /** @description The plan does not include the feature; the subscription is cancelled */
            403: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forms is not on the Starter plan; plans with it: Growth, Business, Enterprise",
                     *       "code": "FEATURE_NOT_ON_PLAN",
                     *       "capability": "forms",
                     *       "plans": [
                     *         "growth",
                     *         "business",
                     *         "enterprise"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The workspace has the maximum number of forms */
            409: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "A workspace has at most 100 forms; delete one first",
                     *       "code": "CONFLICT"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["Unprocessable2"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getForm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `formId` of the form. */
                formId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The form */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "formId": "form_4nX5cPq7Rk2mQw8Z",
                     *       "workspaceId": "ws_7Rk2mQw8Z4nX5cPq",
                     *       "name": "Contact",
                     *       "description": "Write to us.",
                     *       "fields": [
                     *         {
                     *           "id": "name",
                     *           "type": "text",
                     *           "label": "Your name",
                     *           "required": true
                     *         },
                     *         {
                     *           "id": "email",
                     *           "type": "email",
                     *           "label": "E-mail",
                     *           "required": true,
                     *           "helpText": "We answer within a day"
                     *         },
                     *         {
                     *           "id": "topic",
                     *           "type": "select",
                     *           "label": "What is it about?",
                     *           "options": [
                     *             "A booking",
                     *             "Something else"
                     *           ],
                     *           "required": false
                     *         }
                     *       ],
                     *       "status": "active",
                     *       "redirectAfterSubmit": null,
                     *       "thankYouMessage": "Thank you. We answer within a day.",
                     *       "submitLabel": "Send",
                     *       "logoUrl": null,
                     *       "theme": {
                     *         "accent": "#0c4a6e"
                     *       },
                     *       "socials": [],
                     *       "submissionCount": 12,
                     *       "createdAt": 1777896000000,
                     *       "updatedAt": 1777899600000
                     *     }
                     */
                    "application/json": components["schemas"]["Form"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden5"];
            404: components["responses"]["NotFound4"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteForm: {
        parameters: {
            query?: {
                /** @description Whether to delete the stored submissions too. */
                purgeSubmissions?: boolean;
            };
            header?: never;
            path: {
                /** @description The `formId` of the form. */
                formId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The form is deleted */
            204: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A query parameter is invalid or unknown */
            400: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "surprise is not a known parameter; accepted are purgeSubmissions",
                     *       "code": "INVALID_REQUEST"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden5"];
            404: components["responses"]["NotFound4"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateForm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `formId` of the form. */
                formId: string;
            };
            cookie?: never;
        };
        /** @description At most 4 MB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateForm"];
            };
        };
        responses: {
            /** @description The updated form */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "formId": "form_4nX5cPq7Rk2mQw8Z",
                     *       "workspaceId": "ws_7Rk2mQw8Z4nX5cPq",
                     *       "name": "Contact",
                     *       "description": "Write to us.",
                     *       "fields": [
                     *         {
                     *           "id": "name",
                     *           "type": "text",
                     *           "label": "Your name",
                     *           "required": true
                     *         },
                     *         {
                     *           "id": "email",
                     *           "type": "email",
                     *           "label": "E-mail",
                     *           "required": true,
                     *           "helpText": "We answer within a day"
                     *         },
                     *         {
                     *           "id": "topic",
                     *           "type": "select",
                     *           "label": "What is it about?",
                     *           "options": [
                     *             "A booking",
                     *             "Something else"
                     *           ],
                     *           "required": false
                     *         }
                     *       ],
                     *       "status": "active",
                     *       "redirectAfterSubmit": null,
                     *       "thankYouMessage": "Thank you. We answer within a day.",
                     *       "submitLabel": "Send",
                     *       "logoUrl": null,
                     *       "theme": {
                     *         "accent": "#0c4a6e"
                     *       },
                     *       "socials": [],
                     *       "submissionCount": 12,
                     *       "createdAt": 1777896000000,
                     *       "updatedAt": 1777899600000
                     *     }
                     */
                    "application/json": components["schemas"]["Form"];
                };
            };
            400: components["responses"]["InvalidRequest2"];
            401: components["responses"]["Unauthenticated"];
            /** @description The resource belongs to another workspace; the plan does not include the feature; the subscription is cancelled */
            403: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The form with the id 'form_4nX5cPq7Rk2mQw8Z' belongs to another workspace",
                     *       "code": "FORBIDDEN"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound4"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listFormSubmissions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `formId` of the form. */
                formId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The form and its submissions */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "form": {
                     *         "formId": "form_4nX5cPq7Rk2mQw8Z",
                     *         "workspaceId": "ws_7Rk2mQw8Z4nX5cPq",
                     *         "name": "Contact",
                     *         "description": "Write to us.",
                     *         "fields": [
                     *           {
                     *             "id": "name",
                     *             "type": "text",
                     *             "label": "Your name",
                     *             "required": true
                     *           },
                     *           {
                     *             "id": "email",
                     *             "type": "email",
                     *             "label": "E-mail",
                     *             "required": true,
                     *             "helpText": "We answer within a day"
                     *           },
                     *           {
                     *             "id": "topic",
                     *             "type": "select",
                     *             "label": "What is it about?",
                     *             "options": [
                     *               "A booking",
                     *               "Something else"
                     *             ],
                     *             "required": false
                     *           }
                     *         ],
                     *         "status": "active",
                     *         "redirectAfterSubmit": null,
                     *         "thankYouMessage": "Thank you. We answer within a day.",
                     *         "submitLabel": "Send",
                     *         "logoUrl": null,
                     *         "theme": {
                     *           "accent": "#0c4a6e"
                     *         },
                     *         "socials": [],
                     *         "submissionCount": 12,
                     *         "createdAt": 1777896000000,
                     *         "updatedAt": 1777899600000
                     *       },
                     *       "storedBytes": 8412,
                     *       "storedBytesMax": 2147483648,
                     *       "submissions": [
                     *         {
                     *           "submissionId": "subm_8Zq2mQw7Rk4nX5cP",
                     *           "values": {
                     *             "name": "Ann O’Neil",
                     *             "email": "ann@example.com",
                     *             "topic": "A booking"
                     *           },
                     *           "ip": "203.0.113.7",
                     *           "userAgent": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)",
                     *           "referrer": "https://example.com/contact",
                     *           "createdAt": 1777899600000
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["FormSubmissionList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden5"];
            404: components["responses"]["NotFound4"];
            429: components["responses"]["TooManyRequests2"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportFormSubmissions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `formId` of the form. */
                formId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "content-disposition": components["headers"]["content-disposition2"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": unknown;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden5"];
            404: components["responses"]["NotFound4"];
            429: components["responses"]["TooManyRequests2"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteFormSubmission: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `formId` of the form. */
                formId: string;
                /** @description The `submissionId` of the submission. */
                submissionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The submission is deleted */
            204: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden5"];
            /** @description The form does not exist, or it has no submission with this id */
            404: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "There is no form with the id 'form_4nX5cPq7Rk2mQw8Z'",
                     *       "code": "NOT_FOUND"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    openForm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the form. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                };
            };
            /** @description The form does not exist or is paused. Browsers get a page that says so */
            404: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                    /**
                     * @example {
                     *       "error": "There is no form with this id",
                     *       "code": "NOT_FOUND"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests5"];
            500: components["responses"]["InternalError3"];
            503: components["responses"]["Unavailable3"];
        };
    };
    submitForm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the form. */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 5 MB. */
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["SubmitFormRequest"];
            };
        };
        responses: {
            /** @description The submission is stored. For programs */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    vary: components["headers"]["vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "location": "/f/form_7Ab3kQw2ZnX5cPq7?sent=1"
                     *     }
                     */
                    "application/json": components["schemas"]["FormSent"];
                };
            };
            /** @description The submission is stored. Browsers are redirected to `redirectAfterSubmit`, or to the thank-you page */
            303: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    /** @description The target of the redirect */
                    location?: string;
                    vary: components["headers"]["vary"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The form has too many fields or is not UTF-8; a query parameter is sent, but none is accepted */
            400: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                    /**
                     * @example {
                     *       "error": "The form must have at most 200 fields",
                     *       "code": "INVALID_REQUEST"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The form was sent from a page of another site */
            403: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                    /**
                     * @example {
                     *       "error": "The code with the id 'form_7Ab3kQw2ZnX5cPq7' belongs to another workspace",
                     *       "code": "FORBIDDEN"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The form does not exist or is paused */
            404: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                    /**
                     * @example {
                     *       "error": "There is no code with the id 'form_7Ab3kQw2ZnX5cPq7'",
                     *       "code": "NOT_FOUND"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The form did not arrive in time */
            408: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                    /**
                     * @example {
                     *       "error": "The form must arrive within 30 seconds",
                     *       "code": "REQUEST_TIMEOUT"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The `_token` was used for other values, or a field that was sent does not exist. The response has a `token` for another try */
            409: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                    /**
                     * @example {
                     *       "error": "The page of this _token has stored other values; send the form again with the one given here",
                     *       "code": "CONFLICT",
                     *       "token": "mftkv3q1.Zm9yZXZlcg…",
                     *       "notice": "Other answers were already sent from this page. To send these ones as well, please press the button again."
                     *     }
                     */
                    "application/json": components["schemas"]["FormRefused"];
                };
            };
            /** @description The body is more than 128 KB larger than the fields of the form allow, or larger than 5 MB */
            413: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                    /**
                     * @example {
                     *       "error": "The body must not be larger than 5 MB",
                     *       "code": "BODY_TOO_LARGE"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not `application/x-www-form-urlencoded` in UTF-8 */
            415: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                    /**
                     * @example {
                     *       "error": "Content-Type must be application/x-www-form-urlencoded; given: 'application/json'",
                     *       "code": "UNSUPPORTED_MEDIA_TYPE"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Values are invalid, or the `_token` is too new or too old. `faults` has the reason for each field, and `token` is for another try */
            422: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                    /**
                     * @example {
                     *       "error": "Some values are refused: see faults",
                     *       "code": "UNPROCESSABLE",
                     *       "token": "mftkv3q1.Zm9yZXZlcg…",
                     *       "faults": [
                     *         {
                     *           "field": "email",
                     *           "label": "E-mail",
                     *           "message": "Please enter an email address such as name@example.com."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["FormRefused"];
                };
            };
            /** @description More than 30 requests in a minute from one address */
            429: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                    /**
                     * @example {
                     *       "error": "More than 30 requests in a minute from one address; try again in 30 seconds",
                     *       "code": "RATE_LIMITED"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["InternalError3"];
            /** @description The storage of the workspace is full, or the database is unavailable. Nothing is stored, and the page keeps the entered values */
            503: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                    /**
                     * @example {
                     *       "error": "The service is temporarily unavailable",
                     *       "code": "UNAVAILABLE"
                     *     }
                     */
                    "application/json": components["schemas"]["FormRefused"];
                };
            };
        };
    };
    listMenus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The menus */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "menus": [
                     *         {
                     *           "menuId": "menu_4nX5cPq7Rk2mQw8Z",
                     *           "workspaceId": "ws_7Rk2mQw8Z4nX5cPq",
                     *           "name": "Evening menu",
                     *           "status": "active",
                     *           "headline": "Corner Café",
                     *           "subheadline": null,
                     *           "footer": "Open from 18:00 to 23:00, closed on Mondays",
                     *           "heroImageUrl": null,
                     *           "sections": [
                     *             {
                     *               "name": "To begin with",
                     *               "items": [
                     *                 {
                     *                   "id": "lentil-soup",
                     *                   "customTags": {},
                     *                   "name": "Lentil soup",
                     *                   "description": "With lemon and coriander",
                     *                   "price": "€ 6.50",
                     *                   "allergens": [
                     *                     "celery"
                     *                   ],
                     *                   "dietary": [
                     *                     "vegan",
                     *                     "gluten-free"
                     *                   ]
                     *                 }
                     *               ]
                     *             },
                     *             {
                     *               "name": "Wine",
                     *               "description": "By the glass, 0.2 l",
                     *               "items": [
                     *                 {
                     *                   "id": "riesling",
                     *                   "dietary": [],
                     *                   "name": "Riesling",
                     *                   "price": "€ 5.20",
                     *                   "allergens": [
                     *                     "sulphites"
                     *                   ],
                     *                   "customTags": {
                     *                     "taste": [
                     *                       "dry"
                     *                     ]
                     *                   }
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "tagCategories": [
                     *             {
                     *               "id": "taste",
                     *               "name": "Taste",
                     *               "values": [
                     *                 "dry",
                     *                 "sweet"
                     *               ]
                     *             }
                     *           ],
                     *           "theme": {},
                     *           "buttons": [
                     *             {
                     *               "id": "book-a-table",
                     *               "label": "Book a table",
                     *               "destination": "https://example.com/book"
                     *             }
                     *           ],
                     *           "socials": [],
                     *           "viewCount": 2041,
                     *           "createdAt": 1777896000000,
                     *           "updatedAt": 1777899600000
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["MenuList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests4"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createMenu: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique string of your choice. Within 24 hours, a request with the same key and body returns the first response, with `Idempotency-Replayed: true`. The same key with another body is refused with 422. See “Idempotency” in the introduction. */
                "Waymark-Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 8 MB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateMenu"];
            };
        };
        responses: {
            /** @description The new menu */
            201: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "idempotency-replayed": components["headers"]["idempotency-replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "menuId": "menu_4nX5cPq7Rk2mQw8Z",
                     *       "workspaceId": "ws_7Rk2mQw8Z4nX5cPq",
                     *       "name": "Evening menu",
                     *       "status": "active",
                     *       "headline": "Corner Café",
                     *       "subheadline": null,
                     *       "footer": "Open from 18:00 to 23:00, closed on Mondays",
                     *       "heroImageUrl": null,
                     *       "sections": [
                     *         {
                     *           "name": "To begin with",
                     *           "items": [
                     *             {
                     *               "id": "lentil-soup",
                     *               "customTags": {},
                     *               "name": "Lentil soup",
                     *               "description": "With lemon and coriander",
                     *               "price": "€ 6.50",
                     *               "allergens": [
                     *                 "celery"
                     *               ],
                     *               "dietary": [
                     *                 "vegan",
                     *                 "gluten-free"
                     *               ]
                     *             }
                     *           ]
                     *         },
                     *         {
                     *           "name": "Wine",
                     *           "description": "By the glass, 0.2 l",
                     *           "items": [
                     *             {
                     *               "id": "riesling",
                     *               "dietary": [],
                     *               "name": "Riesling",
                     *               "price": "€ 5.20",
                     *               "allergens": [
                     *                 "sulphites"
                     *               ],
                     *               "customTags": {
                     *                 "taste": [
                     *                   "dry"
                     *                 ]
                     *               }
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "tagCategories": [
                     *         {
                     *           "id": "taste",
                     *           "name": "Taste",
                     *           "values": [
                     *             "dry",
                     *             "sweet"
                     *           ]
                     *         }
                     *       ],
                     *       "theme": {},
                     *       "buttons": [
                     *         {
                     *           "id": "book-a-table",
                     *           "label": "Book a table",
                     *           "destination": "https://example.com/book"
                     *         }
                     *       ],
                     *       "socials": [],
                     *       "viewCount": 2041,
                     *       "createdAt": 1777896000000,
                     *       "updatedAt": 1777899600000
                     *     }
                     */
                    "application/json": components["schemas"]["Menu"];
                };
            };
            400: components["responses"]["InvalidRequest3"];
            401: components["responses"]["Unauthenticated"];
            /** @description The plan does not include the feature; the subscription is cancelled */
            403: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "menus is not on the Starter plan; plans with it: Business, Enterprise",
                     *       "code": "FEATURE_NOT_ON_PLAN",
                     *       "capability": "menus",
                     *       "plans": [
                     *         "business",
                     *         "enterprise"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The workspace has the maximum number of menus */
            409: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "A workspace has at most 50 menus; delete one first",
                     *       "code": "CONFLICT"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than 8 MB */
            413: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The body must not be larger than 8 MB",
                     *       "code": "BODY_TOO_LARGE"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            422: components["responses"]["Unprocessable2"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMenu: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `menuId` of the menu. */
                menuId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The menu */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "menuId": "menu_4nX5cPq7Rk2mQw8Z",
                     *       "workspaceId": "ws_7Rk2mQw8Z4nX5cPq",
                     *       "name": "Evening menu",
                     *       "status": "active",
                     *       "headline": "Corner Café",
                     *       "subheadline": null,
                     *       "footer": "Open from 18:00 to 23:00, closed on Mondays",
                     *       "heroImageUrl": null,
                     *       "sections": [
                     *         {
                     *           "name": "To begin with",
                     *           "items": [
                     *             {
                     *               "id": "lentil-soup",
                     *               "customTags": {},
                     *               "name": "Lentil soup",
                     *               "description": "With lemon and coriander",
                     *               "price": "€ 6.50",
                     *               "allergens": [
                     *                 "celery"
                     *               ],
                     *               "dietary": [
                     *                 "vegan",
                     *                 "gluten-free"
                     *               ]
                     *             }
                     *           ]
                     *         },
                     *         {
                     *           "name": "Wine",
                     *           "description": "By the glass, 0.2 l",
                     *           "items": [
                     *             {
                     *               "id": "riesling",
                     *               "dietary": [],
                     *               "name": "Riesling",
                     *               "price": "€ 5.20",
                     *               "allergens": [
                     *                 "sulphites"
                     *               ],
                     *               "customTags": {
                     *                 "taste": [
                     *                   "dry"
                     *                 ]
                     *               }
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "tagCategories": [
                     *         {
                     *           "id": "taste",
                     *           "name": "Taste",
                     *           "values": [
                     *             "dry",
                     *             "sweet"
                     *           ]
                     *         }
                     *       ],
                     *       "theme": {},
                     *       "buttons": [
                     *         {
                     *           "id": "book-a-table",
                     *           "label": "Book a table",
                     *           "destination": "https://example.com/book"
                     *         }
                     *       ],
                     *       "socials": [],
                     *       "viewCount": 2041,
                     *       "createdAt": 1777896000000,
                     *       "updatedAt": 1777899600000
                     *     }
                     */
                    "application/json": components["schemas"]["Menu"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            /** @description The resource belongs to another workspace; the subscription is cancelled */
            403: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The menu with the id 'menu_4nX5cPq7Rk2mQw8Z' belongs to another workspace",
                     *       "code": "FORBIDDEN"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound8"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteMenu: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `menuId` of the menu. */
                menuId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The menu is deleted */
            204: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            /** @description The resource belongs to another workspace; the subscription is cancelled */
            403: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The menu with the id 'menu_4nX5cPq7Rk2mQw8Z' belongs to another workspace",
                     *       "code": "FORBIDDEN"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound8"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateMenu: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `menuId` of the menu. */
                menuId: string;
            };
            cookie?: never;
        };
        /** @description At most 8 MB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateMenu"];
            };
        };
        responses: {
            /** @description The updated menu */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "menuId": "menu_4nX5cPq7Rk2mQw8Z",
                     *       "workspaceId": "ws_7Rk2mQw8Z4nX5cPq",
                     *       "name": "Evening menu",
                     *       "status": "active",
                     *       "headline": "Corner Café",
                     *       "subheadline": null,
                     *       "footer": "Open from 18:00 to 23:00, closed on Mondays",
                     *       "heroImageUrl": null,
                     *       "sections": [
                     *         {
                     *           "name": "To begin with",
                     *           "items": [
                     *             {
                     *               "id": "lentil-soup",
                     *               "customTags": {},
                     *               "name": "Lentil soup",
                     *               "description": "With lemon and coriander",
                     *               "price": "€ 6.50",
                     *               "allergens": [
                     *                 "celery"
                     *               ],
                     *               "dietary": [
                     *                 "vegan",
                     *                 "gluten-free"
                     *               ]
                     *             }
                     *           ]
                     *         },
                     *         {
                     *           "name": "Wine",
                     *           "description": "By the glass, 0.2 l",
                     *           "items": [
                     *             {
                     *               "id": "riesling",
                     *               "dietary": [],
                     *               "name": "Riesling",
                     *               "price": "€ 5.20",
                     *               "allergens": [
                     *                 "sulphites"
                     *               ],
                     *               "customTags": {
                     *                 "taste": [
                     *                   "dry"
                     *                 ]
                     *               }
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "tagCategories": [
                     *         {
                     *           "id": "taste",
                     *           "name": "Taste",
                     *           "values": [
                     *             "dry",
                     *             "sweet"
                     *           ]
                     *         }
                     *       ],
                     *       "theme": {},
                     *       "buttons": [
                     *         {
                     *           "id": "book-a-table",
                     *           "label": "Book a table",
                     *           "destination": "https://example.com/book"
                     *         }
                     *       ],
                     *       "socials": [],
                     *       "viewCount": 2041,
                     *       "createdAt": 1777896000000,
                     *       "updatedAt": 1777899600000
                     *     }
                     */
                    "application/json": components["schemas"]["Menu"];
                };
            };
            400: components["responses"]["InvalidRequest2"];
            401: components["responses"]["Unauthenticated"];
            /** @description The resource belongs to another workspace; the plan does not include the feature; the subscription is cancelled */
            403: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The menu with the id 'menu_4nX5cPq7Rk2mQw8Z' belongs to another workspace",
                     *       "code": "FORBIDDEN"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound8"];
            /** @description The body is larger than 8 MB */
            413: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The body must not be larger than 8 MB",
                     *       "code": "BODY_TOO_LARGE"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    openMenu: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the menu. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    etag: components["headers"]["etag2"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                };
            };
            /** @description The page has not changed: its tag is in `If-None-Match` */
            304: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    etag: components["headers"]["etag2"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The menu does not exist or is paused. Browsers get a page that says so */
            404: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                    /**
                     * @example {
                     *       "error": "There is no menu with this id",
                     *       "code": "NOT_FOUND"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests5"];
            500: components["responses"]["InternalError3"];
            503: components["responses"]["Unavailable3"];
        };
    };
    getUploadedImage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the picture, from its `url`. */
                id: string;
                /** @description The width in pixels and the format: `1200.jpg` in the `url`; `640.avif`, `640.webp` and so on in pages. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    /** @description The tag of the file */
                    etag?: string;
                    /** @description `public, max-age=31536000, immutable` */
                    "cache-control"?: string;
                    /** @description `bytes` */
                    "accept-ranges"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "image/avif": unknown;
                    "image/webp": unknown;
                    "image/jpeg": unknown;
                };
            };
            /** @description The part of the picture that `Range` requests */
            206: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    "content-range": components["headers"]["content-range"];
                    [name: string]: unknown;
                };
                content: {
                    "image/avif": unknown;
                    "image/webp": unknown;
                    "image/jpeg": unknown;
                };
            };
            /** @description The picture has not changed: its tag is in `If-None-Match` */
            304: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    /** @description The tag of the file */
                    etag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The picture does not exist. This response is not cached */
            404: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "There is no code with the id '4nX5cPq7Rk2mQw8ZaB3dE'",
                     *       "code": "NOT_FOUND"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `If-Match` names another version */
            412: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "If-Match must name \"8q2-v1\"; given: \"8q2-v0\"",
                     *       "code": "PRECONDITION_FAILED"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `Range` begins after the end of the file */
            416: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Range must begin before the end of the file, which has 1024 bytes; given: 'bytes=1024-'",
                     *       "code": "RANGE_NOT_SATISFIABLE"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["InternalError2"];
            /** @description The storage is unavailable, or too many pictures are being read */
            503: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The service is temporarily unavailable",
                     *       "code": "UNAVAILABLE"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listBrandKits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The kits */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "brandKits": [
                     *         {
                     *           "kitId": "bk_4nX5cPq7Rk2mQw8Z",
                     *           "workspaceId": "ws_7Rk2mQw8Z4nX5cPq",
                     *           "name": "House style",
                     *           "createdBy": "key_2mQw8Z4nX5cPq7Rk",
                     *           "dotType": "rounded",
                     *           "cornerType": "extra-rounded",
                     *           "primaryColor": "#0c4a6e",
                     *           "backgroundColor": "#ffffff",
                     *           "gradientEnabled": true,
                     *           "gradientColor": "#0f766e",
                     *           "gradientRotation": 45,
                     *           "createdAt": 1777896000000,
                     *           "updatedAt": 1777896000000
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["BrandKitList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createBrandKit: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique string of your choice. Within 24 hours, a request with the same key and body returns the first response, with `Idempotency-Replayed: true`. The same key with another body is refused with 422. See “Idempotency” in the introduction. */
                "Waymark-Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 256 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateBrandKit"];
            };
        };
        responses: {
            /** @description The new kit */
            201: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "idempotency-replayed": components["headers"]["idempotency-replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "kitId": "bk_4nX5cPq7Rk2mQw8Z",
                     *       "workspaceId": "ws_7Rk2mQw8Z4nX5cPq",
                     *       "name": "House style",
                     *       "createdBy": "key_2mQw8Z4nX5cPq7Rk",
                     *       "dotType": "rounded",
                     *       "cornerType": "extra-rounded",
                     *       "primaryColor": "#0c4a6e",
                     *       "backgroundColor": "#ffffff",
                     *       "gradientEnabled": true,
                     *       "gradientColor": "#0f766e",
                     *       "gradientRotation": 45,
                     *       "createdAt": 1777896000000,
                     *       "updatedAt": 1777896000000
                     *     }
                     */
                    "application/json": components["schemas"]["ChangedBrandKit"];
                };
            };
            400: components["responses"]["InvalidRequest3"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden8"];
            /** @description The workspace has the maximum number of brand kits */
            409: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "A workspace has at most 50 brand kits; delete one first",
                     *       "code": "CONFLICT"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge2"];
            422: components["responses"]["Unprocessable2"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteBrandKit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `kitId` of the brand kit. */
                kitId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The kit is deleted */
            204: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            /** @description The resource belongs to another workspace; the key does not have the role owner or admin; the subscription is cancelled */
            403: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The brand kit with the id 'bk_4nX5cPq7Rk2mQw8Z' belongs to another workspace",
                     *       "code": "FORBIDDEN"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The resource does not exist */
            404: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "There is no brand kit with the id 'bk_4nX5cPq7Rk2mQw8Z'",
                     *       "code": "NOT_FOUND"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateBrandKit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `kitId` of the brand kit. */
                kitId: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateBrandKit"];
            };
        };
        responses: {
            /** @description The updated kit */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "kitId": "bk_4nX5cPq7Rk2mQw8Z",
                     *       "workspaceId": "ws_7Rk2mQw8Z4nX5cPq",
                     *       "name": "House style",
                     *       "createdBy": "key_2mQw8Z4nX5cPq7Rk",
                     *       "dotType": "rounded",
                     *       "cornerType": "extra-rounded",
                     *       "primaryColor": "#0c4a6e",
                     *       "backgroundColor": "#ffffff",
                     *       "gradientEnabled": true,
                     *       "gradientColor": "#0f766e",
                     *       "gradientRotation": 45,
                     *       "createdAt": 1777896000000,
                     *       "updatedAt": 1777896000000
                     *     }
                     */
                    "application/json": components["schemas"]["ChangedBrandKit"];
                };
            };
            400: components["responses"]["InvalidRequest2"];
            401: components["responses"]["Unauthenticated"];
            /** @description The resource belongs to another workspace; the key does not have the role owner or admin; the subscription is cancelled */
            403: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The brand kit with the id 'bk_4nX5cPq7Rk2mQw8Z' belongs to another workspace",
                     *       "code": "FORBIDDEN"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The resource does not exist */
            404: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "There is no brand kit with the id 'bk_4nX5cPq7Rk2mQw8Z'",
                     *       "code": "NOT_FOUND"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The kit keeps being changed by other requests */
            409: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The brand kit is being changed by others; try again",
                     *       "code": "CONFLICT"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge2"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listGs1Entries: {
        parameters: {
            query?: {
                /** @description The largest number of entries in the page. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
                /** @description Only entries of this primary key, such as `/01/09506000134352`. */
                key?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "entries": [
                     *         {
                     *           "entryId": "gs1_4nX5cPq7Rk2mQw8Z",
                     *           "path": "/01/09506000134352/10/ABC",
                     *           "url": "https://qr.example.com/01/09506000134352/10/ABC",
                     *           "itemDescription": "Dal Giardino Risotto Rice with Mushrooms, lot ABC",
                     *           "links": [
                     *             {
                     *               "linkType": "gs1:pip",
                     *               "href": "https://example.com/risotto",
                     *               "title": "Product information",
                     *               "hreflang": [
                     *                 "en"
                     *               ],
                     *               "type": "text/html",
                     *               "default": true
                     *             },
                     *             {
                     *               "linkType": "gs1:recipeInfo",
                     *               "href": "https://example.com/recipes",
                     *               "title": "Recipes"
                     *             }
                     *           ],
                     *           "scanCount": 12,
                     *           "createdAt": 1777896000000,
                     *           "updatedAt": 1777896000000
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["Gs1EntryList"];
                };
            };
            /** @description A query parameter is invalid or unknown */
            400: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "surprise is not a known parameter; accepted are limit, cursor, key",
                     *       "code": "INVALID_REQUEST"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createGs1Entry: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique string of your choice. Within 24 hours, a request with the same key and body returns the first response, with `Idempotency-Replayed: true`. The same key with another body is refused with 422. See “Idempotency” in the introduction. */
                "Waymark-Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 2 MB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetGs1Entry"];
            };
        };
        responses: {
            /** @description The new entry */
            201: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "idempotency-replayed": components["headers"]["idempotency-replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "entryId": "gs1_4nX5cPq7Rk2mQw8Z",
                     *       "path": "/01/09506000134352/10/ABC",
                     *       "url": "https://qr.example.com/01/09506000134352/10/ABC",
                     *       "itemDescription": "Dal Giardino Risotto Rice with Mushrooms, lot ABC",
                     *       "links": [
                     *         {
                     *           "linkType": "gs1:pip",
                     *           "href": "https://example.com/risotto",
                     *           "title": "Product information",
                     *           "hreflang": [
                     *             "en"
                     *           ],
                     *           "type": "text/html",
                     *           "default": true
                     *         },
                     *         {
                     *           "linkType": "gs1:recipeInfo",
                     *           "href": "https://example.com/recipes",
                     *           "title": "Recipes"
                     *         }
                     *       ],
                     *       "scanCount": 0,
                     *       "createdAt": 1777896000000,
                     *       "updatedAt": 1777896000000
                     *     }
                     */
                    "application/json": components["schemas"]["Gs1Entry"];
                };
            };
            400: components["responses"]["InvalidRequest3"];
            401: components["responses"]["Unauthenticated"];
            /** @description The plan does not include the feature; the subscription is cancelled */
            403: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "gs1Resolver is not on the Starter plan; plans with it: Business, Enterprise",
                     *       "code": "FEATURE_NOT_ON_PLAN",
                     *       "capability": "gs1Resolver",
                     *       "plans": [
                     *         "business",
                     *         "enterprise"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The primary key belongs to another workspace, has the maximum number of entries, or already has an entry at this path */
            409: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "path: the GS1 key 01/09506000134352 belongs to another workspace",
                     *       "code": "CONFLICT"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge3"];
            422: components["responses"]["Unprocessable2"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getGs1Entry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `entryId` of the entry. */
                entryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entry */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "entryId": "gs1_4nX5cPq7Rk2mQw8Z",
                     *       "path": "/01/09506000134352/10/ABC",
                     *       "url": "https://qr.example.com/01/09506000134352/10/ABC",
                     *       "itemDescription": "Dal Giardino Risotto Rice with Mushrooms, lot ABC",
                     *       "links": [
                     *         {
                     *           "linkType": "gs1:pip",
                     *           "href": "https://example.com/risotto",
                     *           "title": "Product information",
                     *           "hreflang": [
                     *             "en"
                     *           ],
                     *           "type": "text/html",
                     *           "default": true
                     *         },
                     *         {
                     *           "linkType": "gs1:recipeInfo",
                     *           "href": "https://example.com/recipes",
                     *           "title": "Recipes"
                     *         }
                     *       ],
                     *       "scanCount": 12,
                     *       "createdAt": 1777896000000,
                     *       "updatedAt": 1777896000000
                     *     }
                     */
                    "application/json": components["schemas"]["Gs1Entry"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden10"];
            404: components["responses"]["NotFound6"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceGs1Entry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `entryId` of the entry. */
                entryId: string;
            };
            cookie?: never;
        };
        /** @description At most 2 MB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetGs1Entry"];
            };
        };
        responses: {
            /** @description The updated entry */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "entryId": "gs1_4nX5cPq7Rk2mQw8Z",
                     *       "path": "/01/09506000134352/10/ABC",
                     *       "url": "https://qr.example.com/01/09506000134352/10/ABC",
                     *       "itemDescription": "Dal Giardino Risotto Rice with Mushrooms, lot ABC",
                     *       "links": [
                     *         {
                     *           "linkType": "gs1:pip",
                     *           "href": "https://example.com/risotto",
                     *           "title": "Product information",
                     *           "hreflang": [
                     *             "en"
                     *           ],
                     *           "type": "text/html",
                     *           "default": true
                     *         },
                     *         {
                     *           "linkType": "gs1:recipeInfo",
                     *           "href": "https://example.com/recipes",
                     *           "title": "Recipes"
                     *         }
                     *       ],
                     *       "scanCount": 12,
                     *       "createdAt": 1777896000000,
                     *       "updatedAt": 1777896000000
                     *     }
                     */
                    "application/json": components["schemas"]["Gs1Entry"];
                };
            };
            400: components["responses"]["InvalidRequest2"];
            401: components["responses"]["Unauthenticated"];
            /** @description The resource belongs to another workspace; the plan does not include the feature; the subscription is cancelled */
            403: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The code with the id 'gs1_4nX5cPq7Rk2mQw8Z' belongs to another workspace",
                     *       "code": "FORBIDDEN"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound6"];
            /** @description The primary key belongs to another workspace, has the maximum number of entries, or already has an entry at this path */
            409: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "path: the GS1 key 01/09506000134352 belongs to another workspace",
                     *       "code": "CONFLICT"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge3"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteGs1Entry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `entryId` of the entry. */
                entryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entry is deleted */
            204: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden10"];
            404: components["responses"]["NotFound6"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getGs1EntryAnalytics: {
        parameters: {
            query?: {
                /** @description The length of the window in days, today included. */
                days?: number;
                /** @description The IANA time zone of the days, such as `Europe/Berlin`. Default: `UTC`. */
                timezone?: string;
            };
            header?: never;
            path: {
                /** @description The `entryId` of the entry. */
                entryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Figures for every day of the window */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "gs1_4nX5cPq7Rk2mQw8Z",
                     *       "days": 1,
                     *       "from": "2026-05-04",
                     *       "to": "2026-05-04",
                     *       "timezone": "UTC",
                     *       "totalScans": 12,
                     *       "uniqueScans": 11,
                     *       "series": [
                     *         {
                     *           "date": "2026-05-04",
                     *           "scans": 12,
                     *           "uniqueScans": 11
                     *         }
                     *       ],
                     *       "countries": [
                     *         {
                     *           "country": "DE",
                     *           "scans": 12
                     *         }
                     *       ],
                     *       "devices": [
                     *         {
                     *           "device": "mobile",
                     *           "scans": 12
                     *         }
                     *       ],
                     *       "os": [
                     *         {
                     *           "os": "ios",
                     *           "scans": 12
                     *         }
                     *       ],
                     *       "browsers": [
                     *         {
                     *           "browser": "Safari",
                     *           "scans": 12
                     *         }
                     *       ],
                     *       "referrers": [],
                     *       "sources": [],
                     *       "variants": [],
                     *       "rules": []
                     *     }
                     */
                    "application/json": components["schemas"]["CodeAnalytics"];
                };
            };
            /** @description A query parameter is invalid or unknown */
            400: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "surprise is not a known parameter; accepted are days, timezone",
                     *       "code": "INVALID_REQUEST"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden10"];
            404: components["responses"]["NotFound6"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable2"];
        };
    };
    getSerializedQuota: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The quota */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "serializedEnabled": true,
                     *       "apiName": "serializedQR",
                     *       "allotment": 10000,
                     *       "purchased": 1000,
                     *       "minted": 500,
                     *       "total": 11000,
                     *       "remaining": 10500
                     *     }
                     */
                    "application/json": components["schemas"]["SerializedQuota"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSerializedBatches: {
        parameters: {
            query?: {
                /** @description Only batches with this status. */
                status?: "minting" | "completed" | "failed";
                /** @description The largest number of batches in the page. If both `limit` and `cursor` are omitted, the list is complete. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. Send the same `status` with it. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The batches */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "batches": [
                     *         {
                     *           "batchId": "batch_4nX5cPq7Rk2mQw8Z",
                     *           "batchName": "Spring drop",
                     *           "count": 500,
                     *           "scanned": 0,
                     *           "status": "completed",
                     *           "productSku": "SNK-042",
                     *           "productName": "Trail runner 42",
                     *           "gtin": "09506000134352",
                     *           "createdAt": 1777896000000,
                     *           "brandName": "Example Shoes",
                     *           "brandUrl": "https://www.example.com",
                     *           "supportUrl": "mailto:help@example.com",
                     *           "registerUrl": "https://www.example.com/register"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SerializedBatchList"];
                };
            };
            /** @description A query parameter is invalid or unknown */
            400: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "surprise is not a known parameter; accepted are status, limit, cursor",
                     *       "code": "INVALID_REQUEST"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests2"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    mintSerializedBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique string of your choice. Within 366 days, a request with the same key and body returns the first response, with `Idempotency-Replayed: true`. The same key with another body is refused with 409. See “Idempotency” in the introduction. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 5 MB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["MintRequest"];
            };
        };
        responses: {
            /** @description The batch is accepted. Its items are written after this response */
            202: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "idempotency-replayed": components["headers"]["idempotency-replayed"];
                    location: components["headers"]["location2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "sjob_7Rk2mQw8Z4nX5cPq",
                     *       "batchId": "batch_4nX5cPq7Rk2mQw8Z",
                     *       "count": 500
                     *     }
                     */
                    "application/json": components["schemas"]["MintJob"];
                };
            };
            400: components["responses"]["InvalidRequest3"];
            401: components["responses"]["Unauthenticated"];
            /** @description The batch has more items than are left in the quota */
            402: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "count must be at most what remains of the quota: 120 of 10000 items remain; given: 500",
                     *       "code": "ALLOTMENT_EXCEEDED"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The plan does not include the feature; the subscription is cancelled */
            403: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "serializedQR is not on the Starter plan; plans with it: Business, Enterprise",
                     *       "code": "FEATURE_NOT_ON_PLAN",
                     *       "capability": "serializedQR",
                     *       "plans": [
                     *         "business",
                     *         "enterprise"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The `Idempotency-Key` was used with another body, or the GTIN belongs to another workspace */
            409: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Idempotency-Key was used before, for a different request",
                     *       "code": "CONFLICT"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The file is larger than 5 MB */
            413: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "productImage must not be larger than 5 MB",
                     *       "code": "LIMIT_FILE_SIZE"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSerializedJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the job. */
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the job */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "sjob_7Rk2mQw8Z4nX5cPq",
                     *       "jobType": "mint",
                     *       "status": "processing",
                     *       "count": 500,
                     *       "itemsWritten": 250,
                     *       "batchId": "batch_4nX5cPq7Rk2mQw8Z",
                     *       "imageFormat": null,
                     *       "resultReady": false,
                     *       "createdAt": 1777896000000,
                     *       "updatedAt": 1777896000400
                     *     }
                     */
                    "application/json": components["schemas"]["SerializedJob"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            /** @description The resource belongs to another workspace; the subscription is cancelled */
            403: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The serialized job with the id 'sjob_7Rk2mQw8Z4nX5cPq' belongs to another workspace",
                     *       "code": "FORBIDDEN"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The resource does not exist */
            404: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "There is no serialized job with the id 'sjob_7Rk2mQw8Z4nX5cPq'",
                     *       "code": "NOT_FOUND"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelSerializedJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the job. */
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the job */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "szip_9Zt3vLw6Hn8RfYqK",
                     *       "jobType": "image_export",
                     *       "status": "failed",
                     *       "count": 500,
                     *       "itemsWritten": 120,
                     *       "batchId": "batch_4nX5cPq7Rk2mQw8Z",
                     *       "imageFormat": "svg",
                     *       "resultReady": false,
                     *       "createdAt": 1777896000000,
                     *       "updatedAt": 1777896000400,
                     *       "error": "It was cancelled"
                     *     }
                     */
                    "application/json": components["schemas"]["SerializedJob"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            /** @description The resource belongs to another workspace; the subscription is cancelled */
            403: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The serialized job with the id 'szip_9Zt3vLw6Hn8RfYqK' belongs to another workspace",
                     *       "code": "FORBIDDEN"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The resource does not exist */
            404: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "There is no serialized job with the id 'szip_9Zt3vLw6Hn8RfYqK'",
                     *       "code": "NOT_FOUND"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The job is a mint */
            409: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "sjob_7Rk2mQw8Z4nX5cPq is a mint, which cannot be cancelled; exports can",
                     *       "code": "CONFLICT"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSerializedBatch: {
        parameters: {
            query?: {
                /** @description The largest number of items in the page. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The id of the batch. */
                batchId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The batch, with a page of its items */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "batchId": "batch_4nX5cPq7Rk2mQw8Z",
                     *       "batchName": "Spring drop",
                     *       "count": 500,
                     *       "scanned": 0,
                     *       "status": "completed",
                     *       "productSku": "SNK-042",
                     *       "productName": "Trail runner 42",
                     *       "gtin": "09506000134352",
                     *       "createdAt": 1777896000000,
                     *       "brandName": "Example Shoes",
                     *       "brandUrl": "https://www.example.com",
                     *       "supportUrl": "mailto:help@example.com",
                     *       "registerUrl": "https://www.example.com/register",
                     *       "productImage": "data:image/webp;base64,UklGRiQBAABXRUJQVlA4…",
                     *       "items": [
                     *         {
                     *           "itemId": "7Yh2kPq9RsTu",
                     *           "url": "https://qr.example.com/v/7Yh2kPq9RsTu/2b4Cd6Ef8Gh1Jk3M",
                     *           "productSku": "SNK-042",
                     *           "productName": "Trail runner 42",
                     *           "scanCount": 0,
                     *           "firstScannedAt": null,
                     *           "firstScanCountry": null
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["SerializedBatchWithItems"];
                };
            };
            /** @description A query parameter is invalid or unknown */
            400: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "surprise is not a known parameter; accepted are limit, cursor",
                     *       "code": "INVALID_REQUEST"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden3"];
            404: components["responses"]["NotFound3"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateSerializedBatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the batch. */
                batchId: string;
            };
            cookie?: never;
        };
        /** @description At most 5 MB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateSerializedBatch"];
            };
        };
        responses: {
            /** @description The updated batch */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "batchId": "batch_4nX5cPq7Rk2mQw8Z",
                     *       "batchName": "Spring drop",
                     *       "count": 500,
                     *       "scanned": 0,
                     *       "status": "completed",
                     *       "productSku": "SNK-042",
                     *       "productName": "Trail runner 42",
                     *       "gtin": "09506000134352",
                     *       "createdAt": 1777896000000,
                     *       "brandName": "Example Shoes",
                     *       "brandUrl": "https://www.example.com",
                     *       "supportUrl": "mailto:help@example.com",
                     *       "registerUrl": "https://www.example.com/register",
                     *       "productImage": "data:image/webp;base64,UklGRiQBAABXRUJQVlA4…",
                     *       "notice": "recalled"
                     *     }
                     */
                    "application/json": components["schemas"]["SerializedBatch"];
                };
            };
            400: components["responses"]["InvalidRequest2"];
            401: components["responses"]["Unauthenticated"];
            /** @description The resource belongs to another workspace; the plan does not include the feature; the subscription is cancelled */
            403: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The serialized batch with the id 'batch_4nX5cPq7Rk2mQw8Z' belongs to another workspace",
                     *       "code": "FORBIDDEN"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound3"];
            /** @description The file is larger than 5 MB */
            413: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "productImage must not be larger than 5 MB",
                     *       "code": "LIMIT_FILE_SIZE"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportSerializedItems: {
        parameters: {
            query?: {
                /** @description The content of the codes. `url`: `{qr_host}/v/{itemId}/{signature}`. `gs1`: the GS1 Digital Link `{qr_host}/01/{gtin}/21/{serial}`, for a batch with a `gtin`. */
                uriFormat?: "url" | "gs1";
            };
            header?: never;
            path: {
                /** @description The id of the batch. */
                batchId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "content-disposition": components["headers"]["content-disposition2"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": unknown;
                };
            };
            /** @description A query parameter is invalid or unknown */
            400: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "surprise is not a known parameter; accepted are uriFormat",
                     *       "code": "INVALID_REQUEST"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden3"];
            404: components["responses"]["NotFound3"];
            409: components["responses"]["Conflict2"];
            /** @description `uriFormat` is `gs1`, but the batch has no `gtin` */
            422: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "name must have at most 120 characters; given: 130",
                     *       "code": "UNPROCESSABLE"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests2"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportSerializedImages: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique string of your choice. Within 24 hours, a request with the same key and body returns the first response, with `Idempotency-Replayed: true`. The same key with another body is refused with 422. See “Idempotency” in the introduction. */
                "Waymark-Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the batch. */
                batchId: string;
            };
            cookie?: never;
        };
        /** @description At most 4 MB. If omitted, `{}` is assumed. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ImageExportRequest"];
            };
        };
        responses: {
            /** @description The export is accepted. The pictures are drawn after this response */
            202: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "idempotency-replayed": components["headers"]["idempotency-replayed"];
                    location: components["headers"]["location2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "szip_9Zt3vLw6Hn8RfYqK",
                     *       "batchId": "batch_4nX5cPq7Rk2mQw8Z",
                     *       "format": "svg",
                     *       "count": 500
                     *     }
                     */
                    "application/json": components["schemas"]["ImageExportJob"];
                };
            };
            400: components["responses"]["InvalidRequest3"];
            401: components["responses"]["Unauthenticated"];
            /** @description The resource belongs to another workspace; the brand kit belongs to another workspace; the subscription is cancelled */
            403: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The serialized batch with the id 'batch_4nX5cPq7Rk2mQw8Z' belongs to another workspace",
                     *       "code": "FORBIDDEN"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound3"];
            409: components["responses"]["Conflict2"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["Unprocessable2"];
            /** @description 20 exports of the workspace are unfinished, or the workspace keeps as much as the plan allows; more requests than the plan allows in a second; the plan’s quota `apiCalls` is used up */
            429: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Service-Error-Code": components["headers"]["X-Service-Error-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "More than 5 requests in a second; try again in a second",
                     *       "code": "RATE_LIMITED"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    downloadSerializedImages: {
        parameters: {
            query: {
                /** @description The id of an image export of this batch, `szip_…`. */
                jobId: string;
            };
            header?: never;
            path: {
                /** @description The id of the batch. */
                batchId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The zip */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    etag: components["headers"]["etag"];
                    "accept-ranges": components["headers"]["accept-ranges"];
                    "content-disposition": components["headers"]["content-disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": unknown;
                };
            };
            /** @description The part of the zip that `Range` requests */
            206: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    etag: components["headers"]["etag"];
                    "accept-ranges": components["headers"]["accept-ranges"];
                    "content-disposition": components["headers"]["content-disposition"];
                    "content-range": components["headers"]["content-range"];
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": unknown;
                };
            };
            /** @description The zip has not changed: its tag is in `If-None-Match` */
            304: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A query parameter is invalid or unknown */
            400: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "surprise is not a known parameter; accepted are jobId",
                     *       "code": "INVALID_REQUEST"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden3"];
            /** @description The batch or the export does not exist, or the zip was removed after 30 days or by DELETE of its job */
            404: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "There is no serialized batch with the id 'batch_4nX5cPq7Rk2mQw8Z'",
                     *       "code": "NOT_FOUND"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not all pictures are drawn: retry after `Retry-After` seconds. Or the export has failed */
            409: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "szip_9Zt3vLw6Hn8RfYqK is not completed: 120 of 500 images are drawn",
                     *       "code": "CONFLICT"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `If-Match` does not name this zip */
            412: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "If-Match must name \"8q2-v1\"; given: \"8q2-v0\"",
                     *       "code": "PRECONDITION_FAILED"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `Range` begins after the end of the zip */
            416: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Range must begin before the end of the file, which has 1024 bytes; given: 'bytes=1024-'",
                     *       "code": "RANGE_NOT_SATISFIABLE"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests2"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    printSerializedSheets: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique string of your choice. Within 24 hours, a request with the same key and body returns the first response, with `Idempotency-Replayed: true`. The same key with another body is refused with 422. See “Idempotency” in the introduction. */
                "Waymark-Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the batch. */
                batchId: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SheetsRequest"];
            };
        };
        responses: {
            /** @description The sheets are accepted. They are drawn after this response */
            202: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "idempotency-replayed": components["headers"]["idempotency-replayed"];
                    location: components["headers"]["location2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "ssheet_6Hn8RfYqK9Zt3vLw",
                     *       "batchId": "batch_4nX5cPq7Rk2mQw8Z",
                     *       "count": 500,
                     *       "pages": 24,
                     *       "omittedCaptions": []
                     *     }
                     */
                    "application/json": components["schemas"]["SheetsJob"];
                };
            };
            400: components["responses"]["InvalidRequest3"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden3"];
            404: components["responses"]["NotFound3"];
            409: components["responses"]["Conflict2"];
            413: components["responses"]["BodyTooLarge2"];
            422: components["responses"]["Unprocessable2"];
            /** @description 20 sheets of the workspace are unfinished, or the workspace keeps as much as the plan allows; more requests than the plan allows in a second; the plan’s quota `apiCalls` is used up */
            429: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Service-Error-Code": components["headers"]["X-Service-Error-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "More than 5 requests in a second; try again in a second",
                     *       "code": "RATE_LIMITED"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    downloadSerializedSheets: {
        parameters: {
            query: {
                /** @description The id of a sheet export of this batch, `ssheet_…`. */
                jobId: string;
            };
            header?: never;
            path: {
                /** @description The id of the batch. */
                batchId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The PDF */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    /** @description The tag of this PDF, for `If-Range` */
                    etag?: string;
                    "accept-ranges": components["headers"]["accept-ranges"];
                    "content-disposition": components["headers"]["content-disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": unknown;
                };
            };
            /** @description The part of the PDF that `Range` requests */
            206: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    /** @description The tag of this PDF, for `If-Range` */
                    etag?: string;
                    "accept-ranges": components["headers"]["accept-ranges"];
                    "content-disposition": components["headers"]["content-disposition"];
                    "content-range": components["headers"]["content-range"];
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": unknown;
                };
            };
            /** @description The PDF has not changed: its tag is in `If-None-Match` */
            304: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A query parameter is invalid or unknown */
            400: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "surprise is not a known parameter; accepted are jobId",
                     *       "code": "INVALID_REQUEST"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden3"];
            /** @description The batch or the job does not exist, or the PDF was removed after 30 days or by DELETE of its job */
            404: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "There is no serialized batch with the id 'batch_4nX5cPq7Rk2mQw8Z'",
                     *       "code": "NOT_FOUND"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not all codes are drawn: retry after `Retry-After` seconds. Or the job has failed */
            409: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "ssheet_6Hn8RfYqK9Zt3vLw is not completed: 120 of 500 codes are drawn",
                     *       "code": "CONFLICT"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `If-Match` does not name this PDF */
            412: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "If-Match must name \"8q2-v1\"; given: \"8q2-v0\"",
                     *       "code": "PRECONDITION_FAILED"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `Range` begins after the end of the PDF */
            416: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Range must begin before the end of the file, which has 1024 bytes; given: 'bytes=1024-'",
                     *       "code": "RANGE_NOT_SATISFIABLE"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests2"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportSerializedLabels: {
        parameters: {
            query?: {
                /** @description The content of the codes. `url`: `{qr_host}/v/{itemId}/{signature}`. `gs1`: the GS1 Digital Link `{qr_host}/01/{gtin}/21/{serial}`, for a batch with a `gtin`. */
                uriFormat?: "url" | "gs1";
                /** @description Whether the file begins with a byte order mark. Excel needs it to recognise UTF-8. Label software takes it for a part of the first name. */
                bom?: boolean;
            };
            header?: never;
            path: {
                /** @description The id of the batch. */
                batchId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "content-disposition": components["headers"]["content-disposition2"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": unknown;
                };
            };
            /** @description A query parameter is invalid or unknown */
            400: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "surprise is not a known parameter; accepted are uriFormat, bom",
                     *       "code": "INVALID_REQUEST"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden3"];
            404: components["responses"]["NotFound3"];
            409: components["responses"]["Conflict2"];
            /** @description `uriFormat` is `gs1`, but the batch has no `gtin` */
            422: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "name must have at most 120 characters; given: 130",
                     *       "code": "UNPROCESSABLE"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests2"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    verifySerial: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 2 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifySerialRequest"];
            };
        };
        responses: {
            /** @description The verdict on an item that exists */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "verdict": "already_scanned",
                     *       "itemId": "7Yh2kPq9RsTu",
                     *       "productSku": "SNK-042",
                     *       "productName": "Trail runner 42",
                     *       "gtin": "09506000134352",
                     *       "brandName": "Example Shoes",
                     *       "notice": null,
                     *       "scanCount": 2,
                     *       "firstScannedAt": 1777896000000,
                     *       "firstScanCountry": "DE",
                     *       "sameDevice": false
                     *     }
                     */
                    "application/json": components["schemas"]["SerialVerification"];
                };
            };
            /** @description A required field is missing, a field is unknown or has the wrong JSON type, or the body is not JSON; a query parameter is sent, but none is accepted */
            400: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "surprise is not a known field",
                     *       "code": "INVALID_REQUEST"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The signature is not from this service (`not_genuine`), or the item does not exist (`not_known`) */
            404: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "verdict": "not_genuine",
                     *       "error": "The signature of this code is not ours",
                     *       "code": "NOT_FOUND"
                     *     }
                     */
                    "application/json": components["schemas"]["SerialRefusal"];
                };
            };
            /** @description The body is larger than 2 KB */
            413: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The body must not be larger than 2 KB",
                     *       "code": "BODY_TOO_LARGE"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A field has the right type but an invalid value */
            422: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "name must have at most 120 characters; given: 130",
                     *       "code": "UNPROCESSABLE"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description More than 60 verifications in a minute from one address */
            429: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "More than 5 requests in a second; try again in a second",
                     *       "code": "RATE_LIMITED"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["InternalError2"];
            /** @description The code cannot be verified at the moment */
            503: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The service is temporarily unavailable",
                     *       "code": "UNAVAILABLE"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhooks */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhooks": [
                     *         {
                     *           "id": "wh_4nX5cPq7Rk2mQw8Z",
                     *           "url": "https://example.com/hooks/waymark",
                     *           "description": "Loyalty programme",
                     *           "events": [
                     *             "scan.created",
                     *             "form.submitted"
                     *           ],
                     *           "batch": null,
                     *           "status": "active",
                     *           "pausedReason": null,
                     *           "pausedAt": null,
                     *           "failingSince": null,
                     *           "overflowingSince": null,
                     *           "previousSecretExpiresAt": null,
                     *           "createdAt": "2026-05-04T12:00:00.000Z",
                     *           "updatedAt": "2026-05-04T12:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 256 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhook"];
            };
        };
        responses: {
            /** @description The new webhook */
            201: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "wh_4nX5cPq7Rk2mQw8Z",
                     *       "url": "https://example.com/hooks/waymark",
                     *       "description": "Loyalty programme",
                     *       "events": [
                     *         "scan.created",
                     *         "form.submitted"
                     *       ],
                     *       "batch": null,
                     *       "status": "active",
                     *       "pausedReason": null,
                     *       "pausedAt": null,
                     *       "failingSince": null,
                     *       "overflowingSince": null,
                     *       "previousSecretExpiresAt": null,
                     *       "createdAt": "2026-05-04T12:00:00.000Z",
                     *       "updatedAt": "2026-05-04T12:00:00.000Z",
                     *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwUZrVZrVZrVY="
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedWebhook"];
                };
            };
            400: components["responses"]["InvalidRequest2"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden8"];
            /** @description The workspace has the maximum number of webhooks */
            409: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "A workspace has at most 20 webhooks; delete one first",
                     *       "code": "CONFLICT"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge2"];
            /** @description A field has the right type but an invalid value */
            422: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "url must lead to a public address, unless the operator sets WEBHOOK_ALLOW_PRIVATE=true",
                     *       "code": "UNPROCESSABLE"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the webhook. */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "wh_4nX5cPq7Rk2mQw8Z",
                     *       "url": "https://example.com/hooks/waymark",
                     *       "description": "Loyalty programme",
                     *       "events": [
                     *         "scan.created",
                     *         "form.submitted"
                     *       ],
                     *       "batch": null,
                     *       "status": "active",
                     *       "pausedReason": null,
                     *       "pausedAt": null,
                     *       "failingSince": null,
                     *       "overflowingSince": null,
                     *       "previousSecretExpiresAt": null,
                     *       "createdAt": "2026-05-04T12:00:00.000Z",
                     *       "updatedAt": "2026-05-04T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden6"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the webhook. */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook is deleted */
            204: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden4"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the webhook. */
                webhookId: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWebhook"];
            };
        };
        responses: {
            /** @description The updated webhook */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "wh_4nX5cPq7Rk2mQw8Z",
                     *       "url": "https://example.com/hooks/waymark",
                     *       "description": "Loyalty programme",
                     *       "events": [
                     *         "scan.created",
                     *         "form.submitted"
                     *       ],
                     *       "batch": null,
                     *       "status": "active",
                     *       "pausedReason": null,
                     *       "pausedAt": null,
                     *       "failingSince": null,
                     *       "overflowingSince": null,
                     *       "previousSecretExpiresAt": null,
                     *       "createdAt": "2026-05-04T12:00:00.000Z",
                     *       "updatedAt": "2026-05-04T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["InvalidRequest2"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden4"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge2"];
            /** @description A field has the right type but an invalid value */
            422: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "url must lead to a public address, unless the operator sets WEBHOOK_ALLOW_PRIVATE=true",
                     *       "code": "UNPROCESSABLE"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the webhook. */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new secret */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwUZrVZrVZrVY=",
                     *       "previousSecretExpiresAt": "2026-05-05T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["RotatedWebhookSecret"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden4"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the webhook. */
                webhookId: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestWebhookRequest"];
            };
        };
        responses: {
            /** @description The pending delivery */
            202: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "dlv_7Rk2mQw8Z4nX5cPq",
                     *       "eventId": "evt_7Rk2mQw8Z4nX5cPq",
                     *       "type": "form.submitted",
                     *       "test": true,
                     *       "status": "pending",
                     *       "attempts": [],
                     *       "nextAttemptAt": "2026-05-04T12:00:00.000Z",
                     *       "createdAt": "2026-05-04T12:00:00.000Z",
                     *       "finishedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["InvalidRequest2"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden4"];
            404: components["responses"]["NotFound"];
            /** @description The webhook is paused */
            409: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The webhook is paused; set its status to active first",
                     *       "code": "CONFLICT"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge2"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description The largest number of entries in the page. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
                /** @description Only deliveries with this status. */
                status?: "pending" | "succeeded" | "failed";
                /** @description Only deliveries of this type. */
                type?: "scan.created" | "form.submitted" | "qr.created" | "qr.updated" | "qr.deleted" | "serialized.first_scanned" | "serialized.duplicate_scanned" | "domain.verified" | "domain.record_missing" | "domain.switched_off" | "webhook.paused" | "subscription.activated" | "subscription.renewed" | "subscription.cancelled" | "subscription.payment_failed" | "subscription.plan_changed" | "subscription.refunded" | "scan.created.batch";
                /** @description Only deliveries of events at or after this time: ISO 8601 with an offset, a date alone (midnight UTC), or milliseconds since 1970. */
                from?: string;
                /** @description Only deliveries of events before this time. */
                to?: string;
                /** @description Only the delivery of the event with this id. A scan that was sent in a batch is found only by the id of the batch. */
                eventId?: string;
                /** @description Only deliveries of events of the code with this id. Batches are left out. */
                qrId?: string;
            };
            header?: never;
            path: {
                /** @description The `id` of the webhook. */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "dlv_7Rk2mQw8Z4nX5cPq",
                     *           "eventId": "evt_7Rk2mQw8Z4nX5cPq",
                     *           "type": "form.submitted",
                     *           "test": false,
                     *           "status": "pending",
                     *           "attempts": [
                     *             {
                     *               "at": "2026-05-04T12:00:00.000Z",
                     *               "status": 500,
                     *               "durationMs": 42,
                     *               "error": null,
                     *               "response": "Internal Server Error"
                     *             }
                     *           ],
                     *           "nextAttemptAt": "2026-05-04T12:00:31.000Z",
                     *           "createdAt": "2026-05-04T12:00:00.000Z",
                     *           "finishedAt": null
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "limit": 25,
                     *         "cursor": null,
                     *         "nextCursor": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDeliveryList"];
                };
            };
            /** @description A query parameter is invalid or unknown */
            400: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "surprise is not a known parameter; accepted are limit, cursor, status, type, from, to, eventId, qrId",
                     *       "code": "INVALID_REQUEST"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden6"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the webhook. */
                webhookId: string;
                /** @description The `id` of the delivery. */
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "dlv_7Rk2mQw8Z4nX5cPq",
                     *       "eventId": "evt_7Rk2mQw8Z4nX5cPq",
                     *       "type": "form.submitted",
                     *       "test": false,
                     *       "status": "pending",
                     *       "attempts": [
                     *         {
                     *           "at": "2026-05-04T12:00:00.000Z",
                     *           "status": 500,
                     *           "durationMs": 42,
                     *           "error": null,
                     *           "response": "Internal Server Error"
                     *         }
                     *       ],
                     *       "nextAttemptAt": "2026-05-04T12:00:31.000Z",
                     *       "createdAt": "2026-05-04T12:00:00.000Z",
                     *       "finishedAt": null,
                     *       "request": {
                     *         "headers": {
                     *           "content-type": "application/json",
                     *           "user-agent": "Waymark-Webhooks/1.0",
                     *           "webhook-id": "dlv_7Rk2mQw8Z4nX5cPq"
                     *         },
                     *         "body": "{\"id\":\"evt_7Rk2mQw8Z4nX5cPq\",\"type\":\"form.submitted\",\"createdAt\":\"2026-05-04T12:00:00.000Z\",\"data\":{\"formId\":\"form_4nX5cPq7Rk2mQw8Z\",\"formName\":\"Contact\",\"submissionId\":\"subm_7Rk2mQw8Z4nX5cPq\"}}"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDeliveryWithAttempts"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden6"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resendWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the webhook. */
                webhookId: string;
                /** @description The `id` of the delivery. */
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pending delivery */
            202: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "dlv_7Rk2mQw8Z4nX5cPq",
                     *       "eventId": "evt_7Rk2mQw8Z4nX5cPq",
                     *       "type": "form.submitted",
                     *       "test": false,
                     *       "status": "pending",
                     *       "attempts": [
                     *         {
                     *           "at": "2026-05-04T12:00:00.000Z",
                     *           "status": 500,
                     *           "durationMs": 42,
                     *           "error": null,
                     *           "response": "Internal Server Error"
                     *         }
                     *       ],
                     *       "nextAttemptAt": "2026-05-04T12:00:31.000Z",
                     *       "createdAt": "2026-05-04T12:00:00.000Z",
                     *       "finishedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden4"];
            404: components["responses"]["NotFound"];
            /** @description An attempt of the delivery is in progress */
            409: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The delivery is being sent at this moment; wait for its answer",
                     *       "code": "CONFLICT"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replayWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the webhook. */
                webhookId: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplayWebhook"];
            };
        };
        responses: {
            /** @description The replay */
            202: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "whr_2mQw8Z4nX5cPq7Rk",
                     *       "webhookId": "wh_4nX5cPq7Rk2mQw8Z",
                     *       "from": "2026-05-04T00:00:00.000Z",
                     *       "to": "2026-05-05T00:00:00.000Z",
                     *       "types": [
                     *         "form.submitted"
                     *       ],
                     *       "which": "failed",
                     *       "status": "pending",
                     *       "sent": 0,
                     *       "at": null,
                     *       "createdAt": "2026-05-05T08:00:00.000Z",
                     *       "updatedAt": "2026-05-05T08:00:00.000Z",
                     *       "finishedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookReplay"];
                };
            };
            400: components["responses"]["InvalidRequest2"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden4"];
            404: components["responses"]["NotFound"];
            /** @description A replay of the webhook is not finished */
            409: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The webhook has a replay that is not finished; wait for its end",
                     *       "code": "CONFLICT"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge2"];
            /** @description A field has the right type but an invalid value */
            422: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "to must be later than from; given: '2026-05-04T00:00:00.000Z'",
                     *       "code": "UNPROCESSABLE"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhookReplays: {
        parameters: {
            query?: {
                /** @description The largest number of entries in the page. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The `id` of the webhook. */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "whr_2mQw8Z4nX5cPq7Rk",
                     *           "webhookId": "wh_4nX5cPq7Rk2mQw8Z",
                     *           "from": "2026-05-04T00:00:00.000Z",
                     *           "to": "2026-05-05T00:00:00.000Z",
                     *           "types": [
                     *             "form.submitted"
                     *           ],
                     *           "which": "failed",
                     *           "status": "completed",
                     *           "sent": 312,
                     *           "at": "2026-05-04T23:59:41.512Z",
                     *           "createdAt": "2026-05-05T08:00:00.000Z",
                     *           "updatedAt": "2026-05-05T08:00:01.000Z",
                     *           "finishedAt": "2026-05-05T08:00:01.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "limit": 25,
                     *         "cursor": null,
                     *         "nextCursor": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookReplayList"];
                };
            };
            /** @description A query parameter is invalid or unknown */
            400: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "surprise is not a known parameter; accepted are limit, cursor",
                     *       "code": "INVALID_REQUEST"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden6"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWebhookReplay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the webhook. */
                webhookId: string;
                /** @description The `id` of the replay. */
                replayId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The replay */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "whr_2mQw8Z4nX5cPq7Rk",
                     *       "webhookId": "wh_4nX5cPq7Rk2mQw8Z",
                     *       "from": "2026-05-04T00:00:00.000Z",
                     *       "to": "2026-05-05T00:00:00.000Z",
                     *       "types": [
                     *         "form.submitted"
                     *       ],
                     *       "which": "failed",
                     *       "status": "completed",
                     *       "sent": 312,
                     *       "at": "2026-05-04T23:59:41.512Z",
                     *       "createdAt": "2026-05-05T08:00:00.000Z",
                     *       "updatedAt": "2026-05-05T08:00:01.000Z",
                     *       "finishedAt": "2026-05-05T08:00:01.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookReplay"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden6"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getBranding: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The branding */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "Corner Café",
                     *       "accent": "#0c4a6e",
                     *       "background": "#f8fafc",
                     *       "url": "https://www.example.com/",
                     *       "phone": "+4930123456",
                     *       "email": "info@example.com",
                     *       "logo": "data:image/webp;base64,UklGRhoAAABXRUJQVlA4TA4AAAAvAAAAAAcQEf0PRET/Aw==",
                     *       "texts": {
                     *         "unknown": null,
                     *         "inactive": {
                     *           "title": "This table has moved",
                     *           "text": "Please scan the code on the new sign,\nor ask at the bar."
                     *         },
                     *         "expired": null,
                     *         "capped": null,
                     *         "password": null
                     *       },
                     *       "updatedAt": "2026-05-04T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Branding"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setBranding: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 5 MB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetBranding"];
            };
        };
        responses: {
            /** @description The branding */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "Corner Café",
                     *       "accent": "#0c4a6e",
                     *       "background": "#f8fafc",
                     *       "url": "https://www.example.com/",
                     *       "phone": "+4930123456",
                     *       "email": "info@example.com",
                     *       "logo": "data:image/webp;base64,UklGRhoAAABXRUJQVlA4TA4AAAAvAAAAAAcQEf0PRET/Aw==",
                     *       "texts": {
                     *         "unknown": null,
                     *         "inactive": {
                     *           "title": "This table has moved",
                     *           "text": "Please scan the code on the new sign,\nor ask at the bar."
                     *         },
                     *         "expired": null,
                     *         "capped": null,
                     *         "password": null
                     *       },
                     *       "updatedAt": "2026-05-04T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Branding"];
                };
            };
            400: components["responses"]["InvalidRequest2"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden8"];
            /** @description The file is larger than 5 MB */
            413: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "logo must not be larger than 5 MB",
                     *       "code": "LIMIT_FILE_SIZE"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A field has the right type but an invalid value; or the logo is no data URI in base64, has another format than it says, is damaged, has more than 50 megapixels, or takes too long to read */
            422: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "logo says that it is image/png, and its content is image/jpeg: both must be the same",
                     *       "code": "UNPROCESSABLE"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests3"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable4"];
        };
    };
    listDomains: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The domains */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "domains": [
                     *         {
                     *           "id": "dom_4nX5cPq7Rk2mQw8Z",
                     *           "domain": "go.example.com",
                     *           "status": "verified",
                     *           "primary": true,
                     *           "path": "/",
                     *           "rootRedirect": "https://www.example.com/",
                     *           "branding": {
                     *             "name": "Corner Café",
                     *             "accent": "#0c4a6e",
                     *             "background": "#f8fafc",
                     *             "url": "https://www.example.com/",
                     *             "phone": "+4930123456",
                     *             "email": "info@example.com",
                     *             "logo": "data:image/webp;base64,UklGRhoAAABXRUJQVlA4TA4AAAAvAAAAAAcQEf0PRET/Aw==",
                     *             "texts": {
                     *               "unknown": null,
                     *               "inactive": {
                     *                 "title": "This table has moved",
                     *                 "text": "Please scan the code on the new sign,\nor ask at the bar."
                     *               },
                     *               "expired": null,
                     *               "capped": null,
                     *               "password": null
                     *             }
                     *           },
                     *           "dns": {
                     *             "type": "TXT",
                     *             "name": "_waymark.go.example.com",
                     *             "value": "waymark-verification=pZ1cT0hXk9vQ2mB7sYw4LdJr"
                     *           },
                     *           "target": "qr.example.net",
                     *           "verifiedAt": "2026-05-04T12:03:00.000Z",
                     *           "lastCheckedAt": "2026-05-05T12:03:00.000Z",
                     *           "lastCheckError": null,
                     *           "nextCheckAt": "2026-05-06T12:03:00.000Z",
                     *           "missingSince": null,
                     *           "switchOffAt": null,
                     *           "createdAt": "2026-05-04T12:00:00.000Z",
                     *           "updatedAt": "2026-05-04T12:03:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DomainList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createDomain: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique string of your choice. Within 24 hours, a request with the same key and body returns the first response, with `Idempotency-Replayed: true`. The same key with another body is refused with 422. See “Idempotency” in the introduction. */
                "Waymark-Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 5 MB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateDomain"];
            };
        };
        responses: {
            /** @description The new domain */
            201: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "idempotency-replayed": components["headers"]["idempotency-replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "dom_4nX5cPq7Rk2mQw8Z",
                     *       "domain": "go.example.com",
                     *       "status": "pending",
                     *       "primary": false,
                     *       "path": "/",
                     *       "rootRedirect": "https://www.example.com/",
                     *       "branding": {
                     *         "name": "Corner Café",
                     *         "accent": "#0c4a6e",
                     *         "background": "#f8fafc",
                     *         "url": "https://www.example.com/",
                     *         "phone": "+4930123456",
                     *         "email": "info@example.com",
                     *         "logo": "data:image/webp;base64,UklGRhoAAABXRUJQVlA4TA4AAAAvAAAAAAcQEf0PRET/Aw==",
                     *         "texts": {
                     *           "unknown": null,
                     *           "inactive": {
                     *             "title": "This table has moved",
                     *             "text": "Please scan the code on the new sign,\nor ask at the bar."
                     *           },
                     *           "expired": null,
                     *           "capped": null,
                     *           "password": null
                     *         }
                     *       },
                     *       "dns": {
                     *         "type": "TXT",
                     *         "name": "_waymark.go.example.com",
                     *         "value": "waymark-verification=pZ1cT0hXk9vQ2mB7sYw4LdJr"
                     *       },
                     *       "target": "qr.example.net",
                     *       "verifiedAt": null,
                     *       "lastCheckedAt": null,
                     *       "lastCheckError": null,
                     *       "nextCheckAt": "2026-05-04T12:01:00.000Z",
                     *       "missingSince": null,
                     *       "switchOffAt": null,
                     *       "createdAt": "2026-05-04T12:00:00.000Z",
                     *       "updatedAt": "2026-05-04T12:03:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Domain"];
                };
            };
            400: components["responses"]["InvalidRequest3"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden8"];
            /** @description The workspace already has this domain, or has the maximum number of domains */
            409: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "A workspace has at most 20 domains; delete one first",
                     *       "code": "CONFLICT"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The file is larger than 5 MB */
            413: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "branding.logo must not be larger than 5 MB",
                     *       "code": "LIMIT_FILE_SIZE"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A field has the right type but an invalid value; the idempotency key was used for a different request */
            422: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "domain must be a host name such as go.example.com, without a scheme, port, path or wildcard; given: \"https://go.example.com\"",
                     *       "code": "UNPROCESSABLE"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests3"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable4"];
        };
    };
    getDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the domain. */
                domainId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The domain */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "dom_4nX5cPq7Rk2mQw8Z",
                     *       "domain": "go.example.com",
                     *       "status": "verified",
                     *       "primary": true,
                     *       "path": "/",
                     *       "rootRedirect": "https://www.example.com/",
                     *       "branding": {
                     *         "name": "Corner Café",
                     *         "accent": "#0c4a6e",
                     *         "background": "#f8fafc",
                     *         "url": "https://www.example.com/",
                     *         "phone": "+4930123456",
                     *         "email": "info@example.com",
                     *         "logo": "data:image/webp;base64,UklGRhoAAABXRUJQVlA4TA4AAAAvAAAAAAcQEf0PRET/Aw==",
                     *         "texts": {
                     *           "unknown": null,
                     *           "inactive": {
                     *             "title": "This table has moved",
                     *             "text": "Please scan the code on the new sign,\nor ask at the bar."
                     *           },
                     *           "expired": null,
                     *           "capped": null,
                     *           "password": null
                     *         }
                     *       },
                     *       "dns": {
                     *         "type": "TXT",
                     *         "name": "_waymark.go.example.com",
                     *         "value": "waymark-verification=pZ1cT0hXk9vQ2mB7sYw4LdJr"
                     *       },
                     *       "target": "qr.example.net",
                     *       "verifiedAt": "2026-05-04T12:03:00.000Z",
                     *       "lastCheckedAt": "2026-05-05T12:03:00.000Z",
                     *       "lastCheckError": null,
                     *       "nextCheckAt": "2026-05-06T12:03:00.000Z",
                     *       "missingSince": null,
                     *       "switchOffAt": null,
                     *       "createdAt": "2026-05-04T12:00:00.000Z",
                     *       "updatedAt": "2026-05-04T12:03:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Domain"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            /** @description The resource belongs to another workspace; the subscription is cancelled */
            403: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The code with the id 'dom_4nX5cPq7Rk2mQw8Z' belongs to another workspace",
                     *       "code": "FORBIDDEN"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound7"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteDomain: {
        parameters: {
            query?: {
                /** @description Whether to delete a domain that codes may have been printed with. */
                force?: boolean;
            };
            header?: never;
            path: {
                /** @description The `id` of the domain. */
                domainId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The domain is deleted */
            204: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A query parameter is invalid or unknown */
            400: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "surprise is not a known parameter; accepted are force",
                     *       "code": "INVALID_REQUEST"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden11"];
            404: components["responses"]["NotFound7"];
            /** @description Codes may have been printed with the domain, and `force` is not true */
            409: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "primary: new codes are printed with https://go.example.com/, and all that were would be 404 there; DELETE it with ?force=true where that is meant",
                     *       "code": "CONFLICT"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the domain. */
                domainId: string;
            };
            cookie?: never;
        };
        /** @description At most 5 MB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateDomain"];
            };
        };
        responses: {
            /** @description The updated domain */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "dom_4nX5cPq7Rk2mQw8Z",
                     *       "domain": "go.example.com",
                     *       "status": "verified",
                     *       "primary": true,
                     *       "path": "/",
                     *       "rootRedirect": "https://www.example.com/",
                     *       "branding": {
                     *         "name": "Corner Café",
                     *         "accent": "#0c4a6e",
                     *         "background": "#f8fafc",
                     *         "url": "https://www.example.com/",
                     *         "phone": "+4930123456",
                     *         "email": "info@example.com",
                     *         "logo": "data:image/webp;base64,UklGRhoAAABXRUJQVlA4TA4AAAAvAAAAAAcQEf0PRET/Aw==",
                     *         "texts": {
                     *           "unknown": null,
                     *           "inactive": {
                     *             "title": "This table has moved",
                     *             "text": "Please scan the code on the new sign,\nor ask at the bar."
                     *           },
                     *           "expired": null,
                     *           "capped": null,
                     *           "password": null
                     *         }
                     *       },
                     *       "dns": {
                     *         "type": "TXT",
                     *         "name": "_waymark.go.example.com",
                     *         "value": "waymark-verification=pZ1cT0hXk9vQ2mB7sYw4LdJr"
                     *       },
                     *       "target": "qr.example.net",
                     *       "verifiedAt": "2026-05-04T12:03:00.000Z",
                     *       "lastCheckedAt": "2026-05-05T12:03:00.000Z",
                     *       "lastCheckError": null,
                     *       "nextCheckAt": "2026-05-06T12:03:00.000Z",
                     *       "missingSince": null,
                     *       "switchOffAt": null,
                     *       "createdAt": "2026-05-04T12:00:00.000Z",
                     *       "updatedAt": "2026-05-04T12:03:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Domain"];
                };
            };
            400: components["responses"]["InvalidRequest2"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden11"];
            404: components["responses"]["NotFound7"];
            /** @description Codes may have been printed with the `path`, or `primary` is true and the domain is not verified */
            409: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "path: codes may have been printed with https://go.example.com/go/, which must go on working; it stays /go/",
                     *       "code": "CONFLICT"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The file is larger than 5 MB */
            413: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "branding.logo must not be larger than 5 MB",
                     *       "code": "LIMIT_FILE_SIZE"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests3"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable4"];
        };
    };
    verifyDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the domain. */
                domainId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The verified domain */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "dom_4nX5cPq7Rk2mQw8Z",
                     *       "domain": "go.example.com",
                     *       "status": "verified",
                     *       "primary": true,
                     *       "path": "/",
                     *       "rootRedirect": "https://www.example.com/",
                     *       "branding": {
                     *         "name": "Corner Café",
                     *         "accent": "#0c4a6e",
                     *         "background": "#f8fafc",
                     *         "url": "https://www.example.com/",
                     *         "phone": "+4930123456",
                     *         "email": "info@example.com",
                     *         "logo": "data:image/webp;base64,UklGRhoAAABXRUJQVlA4TA4AAAAvAAAAAAcQEf0PRET/Aw==",
                     *         "texts": {
                     *           "unknown": null,
                     *           "inactive": {
                     *             "title": "This table has moved",
                     *             "text": "Please scan the code on the new sign,\nor ask at the bar."
                     *           },
                     *           "expired": null,
                     *           "capped": null,
                     *           "password": null
                     *         }
                     *       },
                     *       "dns": {
                     *         "type": "TXT",
                     *         "name": "_waymark.go.example.com",
                     *         "value": "waymark-verification=pZ1cT0hXk9vQ2mB7sYw4LdJr"
                     *       },
                     *       "target": "qr.example.net",
                     *       "verifiedAt": "2026-05-04T12:03:00.000Z",
                     *       "lastCheckedAt": "2026-05-05T12:03:00.000Z",
                     *       "lastCheckError": null,
                     *       "nextCheckAt": "2026-05-06T12:03:00.000Z",
                     *       "missingSince": null,
                     *       "switchOffAt": null,
                     *       "createdAt": "2026-05-04T12:00:00.000Z",
                     *       "updatedAt": "2026-05-04T12:03:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Domain"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden11"];
            404: components["responses"]["NotFound7"];
            /** @description The domain is already verified, or another workspace has verified the name */
            409: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "go.example.com is verified already",
                     *       "code": "CONFLICT"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The record is missing. The message says what was found instead */
            422: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "There is no TXT record _waymark.go.example.com; it must say waymark-verification=pZ1cT0hXk9vQ2mB7sYw4LdJr",
                     *       "code": "UNPROCESSABLE"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The subscription of the key’s workspace */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "subscriptionId": "sub_4nX5cPq7Rk2mQw8Z",
                     *       "plan": "growth",
                     *       "status": "active",
                     *       "currentPeriodStart": 1777896000000,
                     *       "currentPeriodEnd": 1780574400000,
                     *       "cancelAtPeriodEnd": false,
                     *       "requestsPerSecond": 30,
                     *       "quotas": {
                     *         "apiCalls": {
                     *           "limit": 1000000,
                     *           "used": 1204,
                     *           "remaining": 998796,
                     *           "period": "month",
                     *           "resetsAt": 1780272000000
                     *         },
                     *         "dynamicQr": {
                     *           "limit": 50000,
                     *           "used": 412,
                     *           "remaining": 49588,
                     *           "period": "lifetime",
                     *           "resetsAt": null
                     *         },
                     *         "bulkOrders": {
                     *           "limit": 100,
                     *           "used": 2,
                     *           "remaining": 98,
                     *           "period": "day",
                     *           "resetsAt": 1777939200000
                     *         }
                     *       },
                     *       "capabilities": [
                     *         "landingPages",
                     *         "forms"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    takeStripeEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The time, and a signature of the time and the bytes of the body for each secret, as sent by Stripe. */
                "Stripe-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["TakeStripeEventRequest"];
            };
        };
        responses: {
            /** @description The event was processed, or need not be. It must not be sent again */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "received": true,
                     *       "outcome": "applied"
                     *     }
                     */
                    "application/json": components["schemas"]["PaymentEventTaken"];
                };
            };
            /** @description The signature is missing, wrong, or more than 5 minutes off, or the body is not JSON */
            400: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The header Stripe-Signature is missing",
                     *       "code": "INVALID_REQUEST"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payments by Stripe are not configured */
            404: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Payments by Stripe are not set up: STRIPE_WEBHOOK_SECRET is not set",
                     *       "code": "NOT_FOUND"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than 1 MB */
            413: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The body must not be larger than 1 MB",
                     *       "code": "BODY_TOO_LARGE"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is signed, but is not an event */
            422: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The body is no event of Stripe: id is required",
                     *       "code": "UNPROCESSABLE"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description More than 60 requests in a minute from one address */
            429: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "More than 60 requests in a minute from one address; try again in 30 seconds",
                     *       "code": "RATE_LIMITED"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["InternalError"];
            /** @description PostgreSQL is unavailable. Stripe sends the event again */
            503: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The service is temporarily unavailable",
                     *       "code": "UNAVAILABLE"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAppleAppSiteAssociation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The association file */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "applinks": {
                     *         "details": [
                     *           {
                     *             "appIDs": [
                     *               "ABCDE12345.com.example.app"
                     *             ],
                     *             "components": [
                     *               {
                     *                 "/": "/r/nX5cPq7Rk"
                     *               }
                     *             ]
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AppleAppSiteAssociation"];
                };
            };
            500: components["responses"]["InternalError2"];
            /** @description The apps cannot be looked up at the moment; retry after `Retry-After` seconds */
            503: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The service is temporarily unavailable",
                     *       "code": "UNAVAILABLE"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAndroidAssetLinks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The statement list */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "relation": [
                     *           "delegate_permission/common.handle_all_urls"
                     *         ],
                     *         "target": {
                     *           "namespace": "android_app",
                     *           "package_name": "com.example.app",
                     *           "sha256_cert_fingerprints": [
                     *             "AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB"
                     *           ]
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["AndroidAssetLinks"];
                };
            };
            500: components["responses"]["InternalError2"];
            /** @description The apps cannot be looked up at the moment; retry after `Retry-After` seconds */
            503: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The service is temporarily unavailable",
                     *       "code": "UNAVAILABLE"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service works */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok"
                     *     }
                     */
                    "application/json": components["schemas"]["GetHealthResponse"];
                };
            };
            /** @description More than 120 requests in a minute from one address */
            429: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "More than 120 requests in a minute from one address; try again in 30 seconds",
                     *       "code": "RATE_LIMITED"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["InternalError"];
            /** @description The service does not work */
            503: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "unavailable",
                     *       "error": "Something that the service needs does not work",
                     *       "code": "UNAVAILABLE"
                     *     }
                     */
                    "application/json": components["schemas"]["GetHealthResponse503"];
                };
            };
        };
    };
    getStart: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The address of the documentation, or the page */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "Waymark",
                     *       "docs": "https://api.example.com/docs",
                     *       "openapi": "https://api.example.com/openapi.json"
                     *     }
                     */
                    "application/json": components["schemas"]["GetStartResponse"];
                    "text/html": unknown;
                };
            };
            /** @description The page has not changed: its tag is in `If-None-Match` */
            304: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            500: components["responses"]["InternalError2"];
        };
    };
    getOpenApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetOpenApiResponse"];
                };
            };
            500: components["responses"]["InternalError2"];
        };
    };
    getDocs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    etag: components["headers"]["etag3"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                };
            };
            /** @description It has not changed: its tag is in `If-None-Match` */
            304: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            500: components["responses"]["InternalError2"];
        };
    };
    getDocsSearch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entries */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    etag: components["headers"]["etag3"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "title": "Create a dynamic code",
                     *         "group": "Dynamic codes",
                     *         "url": "/docs/dynamic-codes#createCode",
                     *         "method": "POST",
                     *         "path": "/api/qr/codes",
                     *         "fields": [
                     *           "body.data",
                     *           "body.name"
                     *         ]
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["GetDocsSearchResponse"];
                };
            };
            /** @description It has not changed: its tag is in `If-None-Match` */
            304: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            500: components["responses"]["InternalError2"];
        };
    };
    getDocsPage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the page or file. */
                page: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page or file */
            200: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    etag: components["headers"]["etag3"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                    "text/css": unknown;
                    "text/javascript": unknown;
                };
            };
            /** @description It has not changed: its tag is in `If-None-Match` */
            304: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The resource does not exist */
            404: {
                headers: {
                    "request-id": components["headers"]["request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "There is no code with the id 'dynamic-codes'",
                     *       "code": "NOT_FOUND"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["InternalError2"];
        };
    };
    scanCode: {
        parameters: {
            query?: {
                /** @description The id of one of the code’s `sources`, for which the scan is counted. An unknown id and other parameters are ignored. */
                s?: string;
            };
            header?: never;
            path: {
                /** @description The id of the code. It never changes. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The content of the code, if it is not a location: a page that does on a phone what the data type means, opens a sealed payload in the browser, tries to open an app, or asks for a password */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit3"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy3"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                    /**
                     * @example {
                     *       "dataType": "text",
                     *       "data": "Hello"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description The type of the payload.
                         * @enum {string}
                         */
                        dataType: "url" | "text" | "email" | "wifi" | "vcard" | "sms" | "phone" | "geo" | "vcalendar" | "mecard" | "gs1";
                        /** @description The payload. */
                        data: string;
                    } | {
                        /**
                         * @description The kind of key that opens the payload.
                         * @enum {string}
                         */
                        encrypted: "AES" | "RSA";
                        /**
                         * @description The type of the sealed payload.
                         * @enum {string}
                         */
                        dataType: "url" | "text" | "email" | "wifi" | "vcard" | "sms" | "phone" | "geo" | "vcalendar" | "mecard" | "gs1";
                        /** @description The sealed payload (RFC 7516). */
                        jwe: string;
                    } | {
                        /** @description The link that opens the app. Null if the app cannot be opened. */
                        app: string | null;
                        /** @description The store page of the app. Null if it is not known. */
                        store: string | null;
                        /** @description The destination without the app. Null if there is none. */
                        destination: string | null;
                    };
                };
            };
            /** @description To the destination, or to the target of a routing rule, a campaign or a deep link */
            302: {
                headers: {
                    RateLimit: components["headers"]["RateLimit3"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy3"];
                    Location: components["headers"]["Location2"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The code needs a password. A browser gets a form instead, with 200 */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                    /**
                     * @example {
                     *       "error": "This code needs a password",
                     *       "code": "PASSWORD_REQUIRED"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no code with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                    /**
                     * @example {
                     *       "error": "No code has this id",
                     *       "code": "NOT_FOUND"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The code is inactive (`CODE_INACTIVE`), has expired (`CODE_EXPIRED`) or has reached its scan cap (`SCAN_CAP_REACHED`) */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                    /**
                     * @example {
                     *       "error": "This code has expired",
                     *       "code": "CODE_EXPIRED"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many scans from one address */
            429: {
                headers: {
                    RateLimit: components["headers"]["RateLimit3"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy3"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                    /**
                     * @example {
                     *       "error": "Too many scans from this address",
                     *       "code": "RATE_LIMITED"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The code cannot be looked up, or its scans cannot be counted, at the moment */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                    /**
                     * @example {
                     *       "error": "The code cannot be looked up at the moment",
                     *       "code": "UNAVAILABLE"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    unlockCode: {
        parameters: {
            query?: {
                /** @description The id of one of the code’s `sources`, for which the scan is counted. An unknown id and other parameters are ignored. */
                s?: string;
            };
            header?: never;
            path: {
                /** @description The id of the code. It never changes. */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 4 KB. */
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @description The password of the code. */
                    password: string;
                };
                "application/json": {
                    /** @description The password of the code. */
                    password: string;
                };
            };
        };
        responses: {
            /** @description The password is right, and the content of the code is not a location */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit3"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy3"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                    /**
                     * @example {
                     *       "dataType": "text",
                     *       "data": "Hello"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description The type of the payload.
                         * @enum {string}
                         */
                        dataType: "url" | "text" | "email" | "wifi" | "vcard" | "sms" | "phone" | "geo" | "vcalendar" | "mecard" | "gs1";
                        /** @description The payload. */
                        data: string;
                    } | {
                        /**
                         * @description The kind of key that opens the payload.
                         * @enum {string}
                         */
                        encrypted: "AES" | "RSA";
                        /**
                         * @description The type of the sealed payload.
                         * @enum {string}
                         */
                        dataType: "url" | "text" | "email" | "wifi" | "vcard" | "sms" | "phone" | "geo" | "vcalendar" | "mecard" | "gs1";
                        /** @description The sealed payload (RFC 7516). */
                        jwe: string;
                    } | {
                        /** @description The link that opens the app. Null if the app cannot be opened. */
                        app: string | null;
                        /** @description The store page of the app. Null if it is not known. */
                        store: string | null;
                        /** @description The destination without the app. Null if there is none. */
                        destination: string | null;
                    };
                };
            };
            /** @description The password is right */
            303: {
                headers: {
                    RateLimit: components["headers"]["RateLimit3"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy3"];
                    Location: components["headers"]["Location2"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The password is wrong. A browser gets the form again */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                    /**
                     * @example {
                     *       "error": "The password is wrong",
                     *       "code": "PASSWORD_WRONG"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no code with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                    /**
                     * @example {
                     *       "error": "No code has this id",
                     *       "code": "NOT_FOUND"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The code has no password */
            405: {
                headers: {
                    /** @description `GET, HEAD, POST` */
                    Allow?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                    /**
                     * @example {
                     *       "error": "Only GET and HEAD are allowed, and POST of a password",
                     *       "code": "METHOD_NOT_ALLOWED"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The code is inactive (`CODE_INACTIVE`), has expired (`CODE_EXPIRED`) or has reached its scan cap (`SCAN_CAP_REACHED`) */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                    /**
                     * @example {
                     *       "error": "This code has expired",
                     *       "code": "CODE_EXPIRED"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many scans from one address, or too many attempts at a password */
            429: {
                headers: {
                    RateLimit: components["headers"]["RateLimit3"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy3"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                    /**
                     * @example {
                     *       "error": "Too many passwords were tried",
                     *       "code": "RATE_LIMITED"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The code cannot be looked up, or its scans cannot be counted, at the moment */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                    /**
                     * @example {
                     *       "error": "The code cannot be looked up at the moment",
                     *       "code": "UNAVAILABLE"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    probeCode: {
        parameters: {
            query?: {
                /** @description The id of one of the code’s `sources`, for which the scan is counted. An unknown id and other parameters are ignored. */
                s?: string;
            };
            header?: never;
            path: {
                /** @description The id of the code. It never changes. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The content of the code, if it is not a location: a page that does on a phone what the data type means, opens a sealed payload in the browser, tries to open an app, or asks for a password */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit3"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy3"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description To the destination, or to the target of a routing rule, a campaign or a deep link */
            302: {
                headers: {
                    RateLimit: components["headers"]["RateLimit3"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy3"];
                    Location: components["headers"]["Location2"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The code needs a password. A browser gets a form instead, with 200 */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no code with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The code is inactive (`CODE_INACTIVE`), has expired (`CODE_EXPIRED`) or has reached its scan cap (`SCAN_CAP_REACHED`) */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too many scans from one address */
            429: {
                headers: {
                    RateLimit: components["headers"]["RateLimit3"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy3"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The code cannot be looked up, or its scans cannot be counted, at the moment */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    openItem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the item. */
                itemId: string;
                /** @description The signature, which shows that the item was minted by this service. */
                signature: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The verdict on an item that exists. A bot and a HEAD get no verdict */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit4"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy4"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                    /**
                     * @example {
                     *       "verdict": "authentic",
                     *       "itemId": "7Yh2kPq9RsTu",
                     *       "productSku": "SNK-042",
                     *       "productName": "Trail runner 42",
                     *       "gtin": null,
                     *       "brandName": "Example Shoes",
                     *       "notice": null,
                     *       "scanCount": 1,
                     *       "firstScannedAt": 1777896000000,
                     *       "firstScanCountry": "DE",
                     *       "sameDevice": false
                     *     }
                     */
                    "application/json": components["schemas"]["SerialVerification"] | {
                        /** @description Null for a bot or a HEAD, which claim nothing. */
                        verdict: null;
                    };
                };
            };
            /** @description The signature is not from this service (`not_genuine`), or the item does not exist (`not_known`) */
            404: {
                headers: {
                    RateLimit: components["headers"]["RateLimit4"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy4"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                    /**
                     * @example {
                     *       "verdict": "not_genuine",
                     *       "error": "The signature of this code is not ours",
                     *       "code": "NOT_FOUND"
                     *     }
                     */
                    "application/json": components["schemas"]["SerialRefusal"];
                };
            };
            /** @description Too many verifications from one address */
            429: {
                headers: {
                    RateLimit: components["headers"]["RateLimit4"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy4"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                    /**
                     * @example {
                     *       "error": "Too many verifications from this address",
                     *       "code": "RATE_LIMITED"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The code cannot be verified at the moment, which says nothing about it. Also the response to a browser that prefetches the page */
            503: {
                headers: {
                    RateLimit: components["headers"]["RateLimit4"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy4"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                    /**
                     * @example {
                     *       "error": "This code cannot be verified at the moment, which says nothing about it",
                     *       "code": "UNAVAILABLE"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    probeItem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the item. */
                itemId: string;
                /** @description The signature, which shows that the item was minted by this service. */
                signature: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The verdict on an item that exists. A bot and a HEAD get no verdict */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit4"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy4"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The signature is not from this service (`not_genuine`), or the item does not exist (`not_known`) */
            404: {
                headers: {
                    RateLimit: components["headers"]["RateLimit4"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy4"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too many verifications from one address */
            429: {
                headers: {
                    RateLimit: components["headers"]["RateLimit4"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy4"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The code cannot be verified at the moment, which says nothing about it. Also the response to a browser that prefetches the page */
            503: {
                headers: {
                    RateLimit: components["headers"]["RateLimit4"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy4"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    resolveGtin: {
        parameters: {
            query?: {
                /** @description The link type: `gs1:pip` or a full IRI. `linkset` or `all` returns the list of all links. If repeated, the first type that has a link is used. */
                linkType?: string;
                /** @description A language that takes precedence over those of `Accept-Language`. */
                lang?: string;
                /** @description Selects among links of one type. */
                context?: string;
            };
            header?: never;
            path: {
                /** @description A GTIN of 8, 12, 13 or 14 digits with its check digit. */
                gtin: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All links (RFC 9264), if `linkType` or `Accept: application/linkset+json` asks for them */
            200: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    RateLimit: components["headers"]["RateLimit2"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "linkset": [
                     *         {
                     *           "anchor": "https://qr.example.com/01/09506000134352",
                     *           "itemDescription": "Risotto rice",
                     *           "https://ref.gs1.org/voc/pip": [
                     *             {
                     *               "href": "https://example.com/rice",
                     *               "title": "Product information"
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/linkset+json": {
                        /** @description One object for each level that has an entry, the most specific first. */
                        linkset: ({
                            /** @description The Digital Link to which the links belong. */
                            anchor: string;
                        } & {
                            [key: string]: unknown;
                        })[];
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description To the selected link, with the query of the request */
            307: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    RateLimit: components["headers"]["RateLimit2"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy2"];
                    Location: components["headers"]["Location"];
                    Link: components["headers"]["Link"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest4"];
            404: components["responses"]["NotFound9"];
            429: components["responses"]["TooManyRequests6"];
            503: components["responses"]["Unavailable5"];
        };
    };
    probeGtin: {
        parameters: {
            query?: {
                /** @description The link type: `gs1:pip` or a full IRI. `linkset` or `all` returns the list of all links. If repeated, the first type that has a link is used. */
                linkType?: string;
                /** @description A language that takes precedence over those of `Accept-Language`. */
                lang?: string;
                /** @description Selects among links of one type. */
                context?: string;
            };
            header?: never;
            path: {
                /** @description A GTIN of 8, 12, 13 or 14 digits with its check digit. */
                gtin: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All links (RFC 9264), if `linkType` or `Accept: application/linkset+json` asks for them */
            200: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    RateLimit: components["headers"]["RateLimit2"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy2"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description To the selected link, with the query of the request */
            307: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    RateLimit: components["headers"]["RateLimit2"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy2"];
                    Location: components["headers"]["Location"];
                    Link: components["headers"]["Link"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest5"];
            404: components["responses"]["NotFound10"];
            429: components["responses"]["TooManyRequests7"];
            503: components["responses"]["Unavailable6"];
        };
    };
    resolveBatch: {
        parameters: {
            query?: {
                /** @description The link type: `gs1:pip` or a full IRI. `linkset` or `all` returns the list of all links. If repeated, the first type that has a link is used. */
                linkType?: string;
                /** @description A language that takes precedence over those of `Accept-Language`. */
                lang?: string;
                /** @description Selects among links of one type. */
                context?: string;
            };
            header?: never;
            path: {
                /** @description A GTIN of 8, 12, 13 or 14 digits with its check digit. */
                gtin: string;
                /** @description A batch or lot, AI (10), percent-encoded. */
                batch: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All links (RFC 9264), if `linkType` or `Accept: application/linkset+json` asks for them */
            200: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    RateLimit: components["headers"]["RateLimit2"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "linkset": [
                     *         {
                     *           "anchor": "https://qr.example.com/01/09506000134352",
                     *           "itemDescription": "Risotto rice",
                     *           "https://ref.gs1.org/voc/pip": [
                     *             {
                     *               "href": "https://example.com/rice",
                     *               "title": "Product information"
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/linkset+json": {
                        /** @description One object for each level that has an entry, the most specific first. */
                        linkset: ({
                            /** @description The Digital Link to which the links belong. */
                            anchor: string;
                        } & {
                            [key: string]: unknown;
                        })[];
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description To the selected link, with the query of the request */
            307: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    RateLimit: components["headers"]["RateLimit2"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy2"];
                    Location: components["headers"]["Location"];
                    Link: components["headers"]["Link"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest4"];
            404: components["responses"]["NotFound9"];
            429: components["responses"]["TooManyRequests6"];
            503: components["responses"]["Unavailable5"];
        };
    };
    probeBatch: {
        parameters: {
            query?: {
                /** @description The link type: `gs1:pip` or a full IRI. `linkset` or `all` returns the list of all links. If repeated, the first type that has a link is used. */
                linkType?: string;
                /** @description A language that takes precedence over those of `Accept-Language`. */
                lang?: string;
                /** @description Selects among links of one type. */
                context?: string;
            };
            header?: never;
            path: {
                /** @description A GTIN of 8, 12, 13 or 14 digits with its check digit. */
                gtin: string;
                /** @description A batch or lot, AI (10), percent-encoded. */
                batch: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All links (RFC 9264), if `linkType` or `Accept: application/linkset+json` asks for them */
            200: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    RateLimit: components["headers"]["RateLimit2"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy2"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description To the selected link, with the query of the request */
            307: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    RateLimit: components["headers"]["RateLimit2"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy2"];
                    Location: components["headers"]["Location"];
                    Link: components["headers"]["Link"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest5"];
            404: components["responses"]["NotFound10"];
            429: components["responses"]["TooManyRequests7"];
            503: components["responses"]["Unavailable6"];
        };
    };
    resolveSerial: {
        parameters: {
            query?: {
                /** @description The link type: `gs1:pip` or a full IRI. `linkset` or `all` returns the list of all links. If repeated, the first type that has a link is used. */
                linkType?: string;
                /** @description A language that takes precedence over those of `Accept-Language`. */
                lang?: string;
                /** @description Selects among links of one type. */
                context?: string;
            };
            header?: never;
            path: {
                /** @description A GTIN of 8, 12, 13 or 14 digits with its check digit. */
                gtin: string;
                /** @description A serial number, AI (21), percent-encoded. */
                serial: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All links (RFC 9264), if `linkType` or `Accept: application/linkset+json` asks for them */
            200: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    RateLimit: components["headers"]["RateLimit2"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "linkset": [
                     *         {
                     *           "anchor": "https://qr.example.com/01/09506000134352",
                     *           "itemDescription": "Risotto rice",
                     *           "https://ref.gs1.org/voc/pip": [
                     *             {
                     *               "href": "https://example.com/rice",
                     *               "title": "Product information"
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/linkset+json": {
                        /** @description One object for each level that has an entry, the most specific first. */
                        linkset: ({
                            /** @description The Digital Link to which the links belong. */
                            anchor: string;
                        } & {
                            [key: string]: unknown;
                        })[];
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description To the selected link, with the query of the request */
            307: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    RateLimit: components["headers"]["RateLimit2"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy2"];
                    Location: components["headers"]["Location"];
                    Link: components["headers"]["Link"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest4"];
            404: components["responses"]["NotFound9"];
            429: components["responses"]["TooManyRequests6"];
            503: components["responses"]["Unavailable5"];
        };
    };
    probeSerial: {
        parameters: {
            query?: {
                /** @description The link type: `gs1:pip` or a full IRI. `linkset` or `all` returns the list of all links. If repeated, the first type that has a link is used. */
                linkType?: string;
                /** @description A language that takes precedence over those of `Accept-Language`. */
                lang?: string;
                /** @description Selects among links of one type. */
                context?: string;
            };
            header?: never;
            path: {
                /** @description A GTIN of 8, 12, 13 or 14 digits with its check digit. */
                gtin: string;
                /** @description A serial number, AI (21), percent-encoded. */
                serial: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All links (RFC 9264), if `linkType` or `Accept: application/linkset+json` asks for them */
            200: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    RateLimit: components["headers"]["RateLimit2"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy2"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description To the selected link, with the query of the request */
            307: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    RateLimit: components["headers"]["RateLimit2"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy2"];
                    Location: components["headers"]["Location"];
                    Link: components["headers"]["Link"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest5"];
            404: components["responses"]["NotFound10"];
            429: components["responses"]["TooManyRequests7"];
            503: components["responses"]["Unavailable6"];
        };
    };
    describeResolver: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The description file */
            200: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "Waymark",
                     *       "resolverRoot": "https://qr.example.com",
                     *       "supportedPrimaryKeys": [
                     *         "01",
                     *         "8004"
                     *       ],
                     *       "linkTypeDefaultCanBeLinkset": false
                     *     }
                     */
                    "application/json": {
                        /** @description The name of the resolver. */
                        name: string;
                        /** @description The origin of its Digital Links. */
                        resolverRoot: string;
                        /** @description The application identifiers that are resolved. */
                        supportedPrimaryKeys: string[];
                        /** @description Whether a request without `linkType` may return all links. */
                        linkTypeDefaultCanBeLinkset: boolean;
                    };
                };
            };
        };
    };
    onScanCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the delivery. It is the same in every attempt, and if the delivery is resent. */
                "webhook-id": string;
                /** @description The time of the attempt, in seconds since 1970. Refuse a request that is more than five minutes off. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{raw body}` in base64. The key is the base64 part of the secret after `whsec_`. While a secret is being rotated, there are two signatures, separated by a space. One of them must match. */
                "webhook-signature": string;
                /** @description `true` in a test delivery that you requested, absent in all others. The header is not signed. */
                "webhook-test"?: string;
                /** @description For older receivers: `sha256=` and the HMAC-SHA256 of the raw body in hex. The key is the text of the secret, including `whsec_`. The time is not signed. */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description JSON in UTF-8. Verify the bytes as received, before parsing. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_7Rk2mQw8Z4nX5cPq",
                 *       "type": "scan.created",
                 *       "createdAt": "2026-05-04T12:00:00.000Z",
                 *       "data": {
                 *         "qrId": "nX5cPq7Rk",
                 *         "shortId": "nX5cPq7Rk",
                 *         "country": "DE",
                 *         "device": "mobile"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description The id of the event. An event that is delivered twice has the same id. */
                    id: string;
                    /**
                     * @description What has happened.
                     * @constant
                     */
                    type: "scan.created";
                    /**
                     * Format: date-time
                     * @description When it happened (ISO 8601, UTC).
                     */
                    createdAt: string;
                    /** @description The details, which depend on the type. */
                    data: {
                        /** @description The id of the code. */
                        qrId: string;
                        /** @description The same as `qrId`: a code has only one id. */
                        shortId: string;
                        /** @description The country of the scan (ISO 3166-1 alpha-2). Null if unknown. */
                        country: string | null;
                        /**
                         * @description The kind of device.
                         * @enum {string}
                         */
                        device: "mobile" | "tablet" | "desktop";
                        /** @description The destination of the routing rule that decided. Absent if none did. */
                        routedTo?: string;
                        /** @description The variant that the campaign picked. Absent if there is none. */
                        variantId?: string;
                        /** @description The name of that variant. */
                        variantName?: string;
                    };
                };
            };
        };
        responses: {
            /** @description The receiver wants no further deliveries: the webhook is paused */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not delivered: nothing is sent to the webhook until `Retry-After` has passed, for at most an hour. The same applies to 503 */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not delivered: the delivery is tried again */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onFormSubmitted: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the delivery. It is the same in every attempt, and if the delivery is resent. */
                "webhook-id": string;
                /** @description The time of the attempt, in seconds since 1970. Refuse a request that is more than five minutes off. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{raw body}` in base64. The key is the base64 part of the secret after `whsec_`. While a secret is being rotated, there are two signatures, separated by a space. One of them must match. */
                "webhook-signature": string;
                /** @description `true` in a test delivery that you requested, absent in all others. The header is not signed. */
                "webhook-test"?: string;
                /** @description For older receivers: `sha256=` and the HMAC-SHA256 of the raw body in hex. The key is the text of the secret, including `whsec_`. The time is not signed. */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description JSON in UTF-8. Verify the bytes as received, before parsing. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_7Rk2mQw8Z4nX5cPq",
                 *       "type": "form.submitted",
                 *       "createdAt": "2026-05-04T12:00:00.000Z",
                 *       "data": {
                 *         "formId": "form_4nX5cPq7Rk2mQw8Z",
                 *         "formName": "Contact",
                 *         "submissionId": "subm_7Rk2mQw8Z4nX5cPq"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description The id of the event. An event that is delivered twice has the same id. */
                    id: string;
                    /**
                     * @description What has happened.
                     * @constant
                     */
                    type: "form.submitted";
                    /**
                     * Format: date-time
                     * @description When it happened (ISO 8601, UTC).
                     */
                    createdAt: string;
                    /** @description The details, which depend on the type. */
                    data: {
                        /** @description The id of the form. */
                        formId: string;
                        /** @description The name of the form. */
                        formName: string;
                        /** @description The id of the submission. */
                        submissionId: string;
                    };
                };
            };
        };
        responses: {
            /** @description The receiver wants no further deliveries: the webhook is paused */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not delivered: nothing is sent to the webhook until `Retry-After` has passed, for at most an hour. The same applies to 503 */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not delivered: the delivery is tried again */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onQrCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the delivery. It is the same in every attempt, and if the delivery is resent. */
                "webhook-id": string;
                /** @description The time of the attempt, in seconds since 1970. Refuse a request that is more than five minutes off. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{raw body}` in base64. The key is the base64 part of the secret after `whsec_`. While a secret is being rotated, there are two signatures, separated by a space. One of them must match. */
                "webhook-signature": string;
                /** @description `true` in a test delivery that you requested, absent in all others. The header is not signed. */
                "webhook-test"?: string;
                /** @description For older receivers: `sha256=` and the HMAC-SHA256 of the raw body in hex. The key is the text of the secret, including `whsec_`. The time is not signed. */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description JSON in UTF-8. Verify the bytes as received, before parsing. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_7Rk2mQw8Z4nX5cPq",
                 *       "type": "qr.created",
                 *       "createdAt": "2026-05-04T12:00:00.000Z",
                 *       "data": {
                 *         "qrId": "nX5cPq7Rk",
                 *         "shortId": "nX5cPq7Rk",
                 *         "subscriptionId": "sub_4nX5cPq7Rk2mQw8Z",
                 *         "dataType": "url",
                 *         "secure": []
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description The id of the event. An event that is delivered twice has the same id. */
                    id: string;
                    /**
                     * @description What has happened.
                     * @constant
                     */
                    type: "qr.created";
                    /**
                     * Format: date-time
                     * @description When it happened (ISO 8601, UTC).
                     */
                    createdAt: string;
                    /** @description The details, which depend on the type. */
                    data: {
                        /** @description The id of the code. */
                        qrId: string;
                        /** @description The same as `qrId`: a code has only one id. */
                        shortId: string;
                        /** @description The subscription of the workspace. */
                        subscriptionId: string;
                        /**
                         * @description What the code leads to.
                         * @enum {string}
                         */
                        dataType: "url" | "text" | "email" | "wifi" | "vcard" | "sms" | "phone" | "geo" | "vcalendar" | "mecard" | "gs1";
                        /** @description How the code is protected. */
                        secure: ("password" | "encrypt" | "expire")[];
                    };
                };
            };
        };
        responses: {
            /** @description The receiver wants no further deliveries: the webhook is paused */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not delivered: nothing is sent to the webhook until `Retry-After` has passed, for at most an hour. The same applies to 503 */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not delivered: the delivery is tried again */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onQrUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the delivery. It is the same in every attempt, and if the delivery is resent. */
                "webhook-id": string;
                /** @description The time of the attempt, in seconds since 1970. Refuse a request that is more than five minutes off. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{raw body}` in base64. The key is the base64 part of the secret after `whsec_`. While a secret is being rotated, there are two signatures, separated by a space. One of them must match. */
                "webhook-signature": string;
                /** @description `true` in a test delivery that you requested, absent in all others. The header is not signed. */
                "webhook-test"?: string;
                /** @description For older receivers: `sha256=` and the HMAC-SHA256 of the raw body in hex. The key is the text of the secret, including `whsec_`. The time is not signed. */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description JSON in UTF-8. Verify the bytes as received, before parsing. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_7Rk2mQw8Z4nX5cPq",
                 *       "type": "qr.updated",
                 *       "createdAt": "2026-05-04T12:00:00.000Z",
                 *       "data": {
                 *         "qrId": "nX5cPq7Rk",
                 *         "shortId": "nX5cPq7Rk",
                 *         "subscriptionId": "sub_4nX5cPq7Rk2mQw8Z",
                 *         "changedKeys": [
                 *           "destination",
                 *           "name"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description The id of the event. An event that is delivered twice has the same id. */
                    id: string;
                    /**
                     * @description What has happened.
                     * @constant
                     */
                    type: "qr.updated";
                    /**
                     * Format: date-time
                     * @description When it happened (ISO 8601, UTC).
                     */
                    createdAt: string;
                    /** @description The details, which depend on the type. */
                    data: {
                        /** @description The id of the code. */
                        qrId: string;
                        /** @description The same as `qrId`: a code has only one id. */
                        shortId: string;
                        /** @description The subscription of the workspace. */
                        subscriptionId: string;
                        /** @description The keys of the code’s object whose values have changed. `password` if the password was changed. */
                        changedKeys: string[];
                    };
                };
            };
        };
        responses: {
            /** @description The receiver wants no further deliveries: the webhook is paused */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not delivered: nothing is sent to the webhook until `Retry-After` has passed, for at most an hour. The same applies to 503 */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not delivered: the delivery is tried again */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onQrDeleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the delivery. It is the same in every attempt, and if the delivery is resent. */
                "webhook-id": string;
                /** @description The time of the attempt, in seconds since 1970. Refuse a request that is more than five minutes off. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{raw body}` in base64. The key is the base64 part of the secret after `whsec_`. While a secret is being rotated, there are two signatures, separated by a space. One of them must match. */
                "webhook-signature": string;
                /** @description `true` in a test delivery that you requested, absent in all others. The header is not signed. */
                "webhook-test"?: string;
                /** @description For older receivers: `sha256=` and the HMAC-SHA256 of the raw body in hex. The key is the text of the secret, including `whsec_`. The time is not signed. */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description JSON in UTF-8. Verify the bytes as received, before parsing. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_7Rk2mQw8Z4nX5cPq",
                 *       "type": "qr.deleted",
                 *       "createdAt": "2026-05-04T12:00:00.000Z",
                 *       "data": {
                 *         "qrId": "nX5cPq7Rk",
                 *         "shortId": "nX5cPq7Rk",
                 *         "subscriptionId": "sub_4nX5cPq7Rk2mQw8Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description The id of the event. An event that is delivered twice has the same id. */
                    id: string;
                    /**
                     * @description What has happened.
                     * @constant
                     */
                    type: "qr.deleted";
                    /**
                     * Format: date-time
                     * @description When it happened (ISO 8601, UTC).
                     */
                    createdAt: string;
                    /** @description The details, which depend on the type. */
                    data: {
                        /** @description The id of the code. */
                        qrId: string;
                        /** @description The same as `qrId`: a code has only one id. */
                        shortId: string;
                        /** @description The subscription of the workspace. */
                        subscriptionId: string;
                    };
                };
            };
        };
        responses: {
            /** @description The receiver wants no further deliveries: the webhook is paused */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not delivered: nothing is sent to the webhook until `Retry-After` has passed, for at most an hour. The same applies to 503 */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not delivered: the delivery is tried again */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onSerializedFirstScanned: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the delivery. It is the same in every attempt, and if the delivery is resent. */
                "webhook-id": string;
                /** @description The time of the attempt, in seconds since 1970. Refuse a request that is more than five minutes off. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{raw body}` in base64. The key is the base64 part of the secret after `whsec_`. While a secret is being rotated, there are two signatures, separated by a space. One of them must match. */
                "webhook-signature": string;
                /** @description `true` in a test delivery that you requested, absent in all others. The header is not signed. */
                "webhook-test"?: string;
                /** @description For older receivers: `sha256=` and the HMAC-SHA256 of the raw body in hex. The key is the text of the secret, including `whsec_`. The time is not signed. */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description JSON in UTF-8. Verify the bytes as received, before parsing. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_7Rk2mQw8Z4nX5cPq",
                 *       "type": "serialized.first_scanned",
                 *       "createdAt": "2026-05-04T12:00:00.000Z",
                 *       "data": {
                 *         "itemId": "itm7Rk2mQw8Z4nX5cPq1a",
                 *         "batchId": "batch_4nX5cPq7Rk2mQw8Z",
                 *         "productSku": "SKU-7",
                 *         "productName": "Olive oil",
                 *         "scanCount": 1,
                 *         "firstScannedAt": 1777896000000,
                 *         "country": "DE"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description The id of the event. An event that is delivered twice has the same id. */
                    id: string;
                    /**
                     * @description What has happened.
                     * @constant
                     */
                    type: "serialized.first_scanned";
                    /**
                     * Format: date-time
                     * @description When it happened (ISO 8601, UTC).
                     */
                    createdAt: string;
                    /** @description The details, which depend on the type. */
                    data: {
                        /** @description The id of the item. */
                        itemId: string;
                        /** @description The id of its batch. */
                        batchId: string;
                        /** @description The SKU of its batch. Null if the batch has none. */
                        productSku: string | null;
                        /** @description The product name of its batch. Null if the batch has none. */
                        productName: string | null;
                        /** @description The number of this scan among the item’s scans. The first scan is 1. */
                        scanCount: number;
                        /** @description When the item was first scanned, in milliseconds since 1970. */
                        firstScannedAt: number;
                        /** @description The country of this scan (ISO 3166-1 alpha-2). Null if unknown. */
                        country: string | null;
                    };
                };
            };
        };
        responses: {
            /** @description The receiver wants no further deliveries: the webhook is paused */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not delivered: nothing is sent to the webhook until `Retry-After` has passed, for at most an hour. The same applies to 503 */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not delivered: the delivery is tried again */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onSerializedDuplicateScanned: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the delivery. It is the same in every attempt, and if the delivery is resent. */
                "webhook-id": string;
                /** @description The time of the attempt, in seconds since 1970. Refuse a request that is more than five minutes off. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{raw body}` in base64. The key is the base64 part of the secret after `whsec_`. While a secret is being rotated, there are two signatures, separated by a space. One of them must match. */
                "webhook-signature": string;
                /** @description `true` in a test delivery that you requested, absent in all others. The header is not signed. */
                "webhook-test"?: string;
                /** @description For older receivers: `sha256=` and the HMAC-SHA256 of the raw body in hex. The key is the text of the secret, including `whsec_`. The time is not signed. */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description JSON in UTF-8. Verify the bytes as received, before parsing. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_7Rk2mQw8Z4nX5cPq",
                 *       "type": "serialized.duplicate_scanned",
                 *       "createdAt": "2026-05-04T12:00:00.000Z",
                 *       "data": {
                 *         "itemId": "itm7Rk2mQw8Z4nX5cPq1a",
                 *         "batchId": "batch_4nX5cPq7Rk2mQw8Z",
                 *         "productSku": "SKU-7",
                 *         "productName": "Olive oil",
                 *         "scanCount": 2,
                 *         "firstScannedAt": 1777896000000,
                 *         "country": "FR",
                 *         "risk": "medium"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description The id of the event. An event that is delivered twice has the same id. */
                    id: string;
                    /**
                     * @description What has happened.
                     * @constant
                     */
                    type: "serialized.duplicate_scanned";
                    /**
                     * Format: date-time
                     * @description When it happened (ISO 8601, UTC).
                     */
                    createdAt: string;
                    /** @description The details, which depend on the type. */
                    data: {
                        /** @description The id of the item. */
                        itemId: string;
                        /** @description The id of its batch. */
                        batchId: string;
                        /** @description The SKU of its batch. Null if the batch has none. */
                        productSku: string | null;
                        /** @description The product name of its batch. Null if the batch has none. */
                        productName: string | null;
                        /** @description The number of this scan among the item’s scans. The first scan is 1. */
                        scanCount: number;
                        /** @description When the item was first scanned, in milliseconds since 1970. */
                        firstScannedAt: number;
                        /** @description The country of this scan (ISO 3166-1 alpha-2). Null if unknown. */
                        country: string | null;
                        /**
                         * @description How likely the item is a copy. `high`: no traveller could have been that fast. `medium`: the scan is in another country. `low`: all other scans.
                         * @enum {string}
                         */
                        risk: "low" | "medium" | "high";
                    };
                };
            };
        };
        responses: {
            /** @description The receiver wants no further deliveries: the webhook is paused */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not delivered: nothing is sent to the webhook until `Retry-After` has passed, for at most an hour. The same applies to 503 */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not delivered: the delivery is tried again */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDomainVerified: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the delivery. It is the same in every attempt, and if the delivery is resent. */
                "webhook-id": string;
                /** @description The time of the attempt, in seconds since 1970. Refuse a request that is more than five minutes off. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{raw body}` in base64. The key is the base64 part of the secret after `whsec_`. While a secret is being rotated, there are two signatures, separated by a space. One of them must match. */
                "webhook-signature": string;
                /** @description `true` in a test delivery that you requested, absent in all others. The header is not signed. */
                "webhook-test"?: string;
                /** @description For older receivers: `sha256=` and the HMAC-SHA256 of the raw body in hex. The key is the text of the secret, including `whsec_`. The time is not signed. */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description JSON in UTF-8. Verify the bytes as received, before parsing. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_7Rk2mQw8Z4nX5cPq",
                 *       "type": "domain.verified",
                 *       "createdAt": "2026-05-04T12:00:00.000Z",
                 *       "data": {
                 *         "domain": "go.example.com"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description The id of the event. An event that is delivered twice has the same id. */
                    id: string;
                    /**
                     * @description What has happened.
                     * @constant
                     */
                    type: "domain.verified";
                    /**
                     * Format: date-time
                     * @description When it happened (ISO 8601, UTC).
                     */
                    createdAt: string;
                    /** @description The details, which depend on the type. */
                    data: {
                        /** @description The name of the domain. */
                        domain: string;
                    };
                };
            };
        };
        responses: {
            /** @description The receiver wants no further deliveries: the webhook is paused */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not delivered: nothing is sent to the webhook until `Retry-After` has passed, for at most an hour. The same applies to 503 */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not delivered: the delivery is tried again */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDomainRecordMissing: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the delivery. It is the same in every attempt, and if the delivery is resent. */
                "webhook-id": string;
                /** @description The time of the attempt, in seconds since 1970. Refuse a request that is more than five minutes off. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{raw body}` in base64. The key is the base64 part of the secret after `whsec_`. While a secret is being rotated, there are two signatures, separated by a space. One of them must match. */
                "webhook-signature": string;
                /** @description `true` in a test delivery that you requested, absent in all others. The header is not signed. */
                "webhook-test"?: string;
                /** @description For older receivers: `sha256=` and the HMAC-SHA256 of the raw body in hex. The key is the text of the secret, including `whsec_`. The time is not signed. */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description JSON in UTF-8. Verify the bytes as received, before parsing. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_7Rk2mQw8Z4nX5cPq",
                 *       "type": "domain.record_missing",
                 *       "createdAt": "2026-05-04T12:00:00.000Z",
                 *       "data": {
                 *         "domain": "go.example.com",
                 *         "missingSince": "2026-05-04T12:00:00.000Z",
                 *         "switchOffAt": "2026-06-03T12:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description The id of the event. An event that is delivered twice has the same id. */
                    id: string;
                    /**
                     * @description What has happened.
                     * @constant
                     */
                    type: "domain.record_missing";
                    /**
                     * Format: date-time
                     * @description When it happened (ISO 8601, UTC).
                     */
                    createdAt: string;
                    /** @description The details, which depend on the type. */
                    data: {
                        /** @description The name of the domain. */
                        domain: string;
                        /** @description The `missingSince` of the domain (ISO 8601). */
                        missingSince: string;
                        /** @description When the domain is switched off (ISO 8601). */
                        switchOffAt: string;
                    };
                };
            };
        };
        responses: {
            /** @description The receiver wants no further deliveries: the webhook is paused */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not delivered: nothing is sent to the webhook until `Retry-After` has passed, for at most an hour. The same applies to 503 */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not delivered: the delivery is tried again */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDomainSwitchedOff: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the delivery. It is the same in every attempt, and if the delivery is resent. */
                "webhook-id": string;
                /** @description The time of the attempt, in seconds since 1970. Refuse a request that is more than five minutes off. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{raw body}` in base64. The key is the base64 part of the secret after `whsec_`. While a secret is being rotated, there are two signatures, separated by a space. One of them must match. */
                "webhook-signature": string;
                /** @description `true` in a test delivery that you requested, absent in all others. The header is not signed. */
                "webhook-test"?: string;
                /** @description For older receivers: `sha256=` and the HMAC-SHA256 of the raw body in hex. The key is the text of the secret, including `whsec_`. The time is not signed. */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description JSON in UTF-8. Verify the bytes as received, before parsing. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_7Rk2mQw8Z4nX5cPq",
                 *       "type": "domain.switched_off",
                 *       "createdAt": "2026-05-04T12:00:00.000Z",
                 *       "data": {
                 *         "domain": "go.example.com"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description The id of the event. An event that is delivered twice has the same id. */
                    id: string;
                    /**
                     * @description What has happened.
                     * @constant
                     */
                    type: "domain.switched_off";
                    /**
                     * Format: date-time
                     * @description When it happened (ISO 8601, UTC).
                     */
                    createdAt: string;
                    /** @description The details, which depend on the type. */
                    data: {
                        /** @description The name of the domain. */
                        domain: string;
                    };
                };
            };
        };
        responses: {
            /** @description The receiver wants no further deliveries: the webhook is paused */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not delivered: nothing is sent to the webhook until `Retry-After` has passed, for at most an hour. The same applies to 503 */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not delivered: the delivery is tried again */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookPaused: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the delivery. It is the same in every attempt, and if the delivery is resent. */
                "webhook-id": string;
                /** @description The time of the attempt, in seconds since 1970. Refuse a request that is more than five minutes off. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{raw body}` in base64. The key is the base64 part of the secret after `whsec_`. While a secret is being rotated, there are two signatures, separated by a space. One of them must match. */
                "webhook-signature": string;
                /** @description `true` in a test delivery that you requested, absent in all others. The header is not signed. */
                "webhook-test"?: string;
                /** @description For older receivers: `sha256=` and the HMAC-SHA256 of the raw body in hex. The key is the text of the secret, including `whsec_`. The time is not signed. */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description JSON in UTF-8. Verify the bytes as received, before parsing. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_7Rk2mQw8Z4nX5cPq",
                 *       "type": "webhook.paused",
                 *       "createdAt": "2026-05-04T12:00:00.000Z",
                 *       "data": {
                 *         "webhookId": "wh_4nX5cPq7Rk2mQw8Z",
                 *         "url": "https://example.com/hooks",
                 *         "failingSince": "2026-05-04T12:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description The id of the event. An event that is delivered twice has the same id. */
                    id: string;
                    /**
                     * @description What has happened.
                     * @constant
                     */
                    type: "webhook.paused";
                    /**
                     * Format: date-time
                     * @description When it happened (ISO 8601, UTC).
                     */
                    createdAt: string;
                    /** @description The details, which depend on the type. */
                    data: {
                        /** @description The id of the webhook. */
                        webhookId: string;
                        /** @description The URL of the webhook. */
                        url: string;
                        /**
                         * Format: date-time
                         * @description When the first of these failures happened (ISO 8601, UTC).
                         */
                        failingSince: string;
                    };
                };
            };
        };
        responses: {
            /** @description The receiver wants no further deliveries: the webhook is paused */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not delivered: nothing is sent to the webhook until `Retry-After` has passed, for at most an hour. The same applies to 503 */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not delivered: the delivery is tried again */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onSubscriptionActivated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the delivery. It is the same in every attempt, and if the delivery is resent. */
                "webhook-id": string;
                /** @description The time of the attempt, in seconds since 1970. Refuse a request that is more than five minutes off. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{raw body}` in base64. The key is the base64 part of the secret after `whsec_`. While a secret is being rotated, there are two signatures, separated by a space. One of them must match. */
                "webhook-signature": string;
                /** @description `true` in a test delivery that you requested, absent in all others. The header is not signed. */
                "webhook-test"?: string;
                /** @description For older receivers: `sha256=` and the HMAC-SHA256 of the raw body in hex. The key is the text of the secret, including `whsec_`. The time is not signed. */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description JSON in UTF-8. Verify the bytes as received, before parsing. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_7Rk2mQw8Z4nX5cPq",
                 *       "type": "subscription.activated",
                 *       "createdAt": "2026-05-04T12:00:00.000Z",
                 *       "data": {
                 *         "subscriptionId": "sub_4nX5cPq7Rk2mQw8Z",
                 *         "plan": "growth",
                 *         "status": "active",
                 *         "currentPeriodStart": 1777896000000,
                 *         "currentPeriodEnd": 1780574400000,
                 *         "provider": "stripe"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description The id of the event. An event that is delivered twice has the same id. */
                    id: string;
                    /**
                     * @description What has happened.
                     * @constant
                     */
                    type: "subscription.activated";
                    /**
                     * Format: date-time
                     * @description When it happened (ISO 8601, UTC).
                     */
                    createdAt: string;
                    /** @description The details, which depend on the type. */
                    data: {
                        /** @description The subscription of the workspace. */
                        subscriptionId: string;
                        /**
                         * @description The current plan.
                         * @enum {string}
                         */
                        plan: "free" | "starter" | "growth" | "business" | "enterprise";
                        /**
                         * @description The current status.
                         * @enum {string}
                         */
                        status: "active" | "past_due" | "cancelled";
                        /** @description When the paid period began, in milliseconds since 1970. Null if unknown. */
                        currentPeriodStart: number | null;
                        /** @description When the paid period ends, in milliseconds since 1970. Null if unknown. */
                        currentPeriodEnd: number | null;
                        /** @description Who reported it: `stripe` or `operator`. */
                        provider: string;
                    };
                };
            };
        };
        responses: {
            /** @description The receiver wants no further deliveries: the webhook is paused */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not delivered: nothing is sent to the webhook until `Retry-After` has passed, for at most an hour. The same applies to 503 */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not delivered: the delivery is tried again */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onSubscriptionRenewed: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the delivery. It is the same in every attempt, and if the delivery is resent. */
                "webhook-id": string;
                /** @description The time of the attempt, in seconds since 1970. Refuse a request that is more than five minutes off. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{raw body}` in base64. The key is the base64 part of the secret after `whsec_`. While a secret is being rotated, there are two signatures, separated by a space. One of them must match. */
                "webhook-signature": string;
                /** @description `true` in a test delivery that you requested, absent in all others. The header is not signed. */
                "webhook-test"?: string;
                /** @description For older receivers: `sha256=` and the HMAC-SHA256 of the raw body in hex. The key is the text of the secret, including `whsec_`. The time is not signed. */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description JSON in UTF-8. Verify the bytes as received, before parsing. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_7Rk2mQw8Z4nX5cPq",
                 *       "type": "subscription.renewed",
                 *       "createdAt": "2026-05-04T12:00:00.000Z",
                 *       "data": {
                 *         "subscriptionId": "sub_4nX5cPq7Rk2mQw8Z",
                 *         "plan": "growth",
                 *         "status": "active",
                 *         "currentPeriodStart": 1777896000000,
                 *         "currentPeriodEnd": 1780574400000,
                 *         "provider": "stripe"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description The id of the event. An event that is delivered twice has the same id. */
                    id: string;
                    /**
                     * @description What has happened.
                     * @constant
                     */
                    type: "subscription.renewed";
                    /**
                     * Format: date-time
                     * @description When it happened (ISO 8601, UTC).
                     */
                    createdAt: string;
                    /** @description The details, which depend on the type. */
                    data: {
                        /** @description The subscription of the workspace. */
                        subscriptionId: string;
                        /**
                         * @description The current plan.
                         * @enum {string}
                         */
                        plan: "free" | "starter" | "growth" | "business" | "enterprise";
                        /**
                         * @description The current status.
                         * @enum {string}
                         */
                        status: "active" | "past_due" | "cancelled";
                        /** @description When the paid period began, in milliseconds since 1970. Null if unknown. */
                        currentPeriodStart: number | null;
                        /** @description When the paid period ends, in milliseconds since 1970. Null if unknown. */
                        currentPeriodEnd: number | null;
                        /** @description Who reported it: `stripe` or `operator`. */
                        provider: string;
                    };
                };
            };
        };
        responses: {
            /** @description The receiver wants no further deliveries: the webhook is paused */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not delivered: nothing is sent to the webhook until `Retry-After` has passed, for at most an hour. The same applies to 503 */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not delivered: the delivery is tried again */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onSubscriptionCancelled: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the delivery. It is the same in every attempt, and if the delivery is resent. */
                "webhook-id": string;
                /** @description The time of the attempt, in seconds since 1970. Refuse a request that is more than five minutes off. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{raw body}` in base64. The key is the base64 part of the secret after `whsec_`. While a secret is being rotated, there are two signatures, separated by a space. One of them must match. */
                "webhook-signature": string;
                /** @description `true` in a test delivery that you requested, absent in all others. The header is not signed. */
                "webhook-test"?: string;
                /** @description For older receivers: `sha256=` and the HMAC-SHA256 of the raw body in hex. The key is the text of the secret, including `whsec_`. The time is not signed. */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description JSON in UTF-8. Verify the bytes as received, before parsing. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_7Rk2mQw8Z4nX5cPq",
                 *       "type": "subscription.cancelled",
                 *       "createdAt": "2026-05-04T12:00:00.000Z",
                 *       "data": {
                 *         "subscriptionId": "sub_4nX5cPq7Rk2mQw8Z",
                 *         "plan": "free",
                 *         "status": "cancelled",
                 *         "currentPeriodStart": 1777896000000,
                 *         "currentPeriodEnd": 1780574400000,
                 *         "provider": "stripe"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description The id of the event. An event that is delivered twice has the same id. */
                    id: string;
                    /**
                     * @description What has happened.
                     * @constant
                     */
                    type: "subscription.cancelled";
                    /**
                     * Format: date-time
                     * @description When it happened (ISO 8601, UTC).
                     */
                    createdAt: string;
                    /** @description The details, which depend on the type. */
                    data: {
                        /** @description The subscription of the workspace. */
                        subscriptionId: string;
                        /**
                         * @description The current plan.
                         * @enum {string}
                         */
                        plan: "free" | "starter" | "growth" | "business" | "enterprise";
                        /**
                         * @description The current status.
                         * @enum {string}
                         */
                        status: "active" | "past_due" | "cancelled";
                        /** @description When the paid period began, in milliseconds since 1970. Null if unknown. */
                        currentPeriodStart: number | null;
                        /** @description When the paid period ends, in milliseconds since 1970. Null if unknown. */
                        currentPeriodEnd: number | null;
                        /** @description Who reported it: `stripe` or `operator`. */
                        provider: string;
                    };
                };
            };
        };
        responses: {
            /** @description The receiver wants no further deliveries: the webhook is paused */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not delivered: nothing is sent to the webhook until `Retry-After` has passed, for at most an hour. The same applies to 503 */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not delivered: the delivery is tried again */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onSubscriptionPaymentFailed: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the delivery. It is the same in every attempt, and if the delivery is resent. */
                "webhook-id": string;
                /** @description The time of the attempt, in seconds since 1970. Refuse a request that is more than five minutes off. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{raw body}` in base64. The key is the base64 part of the secret after `whsec_`. While a secret is being rotated, there are two signatures, separated by a space. One of them must match. */
                "webhook-signature": string;
                /** @description `true` in a test delivery that you requested, absent in all others. The header is not signed. */
                "webhook-test"?: string;
                /** @description For older receivers: `sha256=` and the HMAC-SHA256 of the raw body in hex. The key is the text of the secret, including `whsec_`. The time is not signed. */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description JSON in UTF-8. Verify the bytes as received, before parsing. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_7Rk2mQw8Z4nX5cPq",
                 *       "type": "subscription.payment_failed",
                 *       "createdAt": "2026-05-04T12:00:00.000Z",
                 *       "data": {
                 *         "subscriptionId": "sub_4nX5cPq7Rk2mQw8Z",
                 *         "plan": "growth",
                 *         "status": "past_due",
                 *         "currentPeriodStart": 1777896000000,
                 *         "currentPeriodEnd": 1780574400000,
                 *         "provider": "stripe"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description The id of the event. An event that is delivered twice has the same id. */
                    id: string;
                    /**
                     * @description What has happened.
                     * @constant
                     */
                    type: "subscription.payment_failed";
                    /**
                     * Format: date-time
                     * @description When it happened (ISO 8601, UTC).
                     */
                    createdAt: string;
                    /** @description The details, which depend on the type. */
                    data: {
                        /** @description The subscription of the workspace. */
                        subscriptionId: string;
                        /**
                         * @description The current plan.
                         * @enum {string}
                         */
                        plan: "free" | "starter" | "growth" | "business" | "enterprise";
                        /**
                         * @description The current status.
                         * @enum {string}
                         */
                        status: "active" | "past_due" | "cancelled";
                        /** @description When the paid period began, in milliseconds since 1970. Null if unknown. */
                        currentPeriodStart: number | null;
                        /** @description When the paid period ends, in milliseconds since 1970. Null if unknown. */
                        currentPeriodEnd: number | null;
                        /** @description Who reported it: `stripe` or `operator`. */
                        provider: string;
                    };
                };
            };
        };
        responses: {
            /** @description The receiver wants no further deliveries: the webhook is paused */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not delivered: nothing is sent to the webhook until `Retry-After` has passed, for at most an hour. The same applies to 503 */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not delivered: the delivery is tried again */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onSubscriptionPlanChanged: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the delivery. It is the same in every attempt, and if the delivery is resent. */
                "webhook-id": string;
                /** @description The time of the attempt, in seconds since 1970. Refuse a request that is more than five minutes off. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{raw body}` in base64. The key is the base64 part of the secret after `whsec_`. While a secret is being rotated, there are two signatures, separated by a space. One of them must match. */
                "webhook-signature": string;
                /** @description `true` in a test delivery that you requested, absent in all others. The header is not signed. */
                "webhook-test"?: string;
                /** @description For older receivers: `sha256=` and the HMAC-SHA256 of the raw body in hex. The key is the text of the secret, including `whsec_`. The time is not signed. */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description JSON in UTF-8. Verify the bytes as received, before parsing. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_7Rk2mQw8Z4nX5cPq",
                 *       "type": "subscription.plan_changed",
                 *       "createdAt": "2026-05-04T12:00:00.000Z",
                 *       "data": {
                 *         "subscriptionId": "sub_4nX5cPq7Rk2mQw8Z",
                 *         "plan": "growth",
                 *         "status": "active",
                 *         "currentPeriodStart": 1777896000000,
                 *         "currentPeriodEnd": 1780574400000,
                 *         "provider": "stripe",
                 *         "previousPlan": "starter"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description The id of the event. An event that is delivered twice has the same id. */
                    id: string;
                    /**
                     * @description What has happened.
                     * @constant
                     */
                    type: "subscription.plan_changed";
                    /**
                     * Format: date-time
                     * @description When it happened (ISO 8601, UTC).
                     */
                    createdAt: string;
                    /** @description The details, which depend on the type. */
                    data: {
                        /** @description The subscription of the workspace. */
                        subscriptionId: string;
                        /**
                         * @description The current plan.
                         * @enum {string}
                         */
                        plan: "free" | "starter" | "growth" | "business" | "enterprise";
                        /**
                         * @description The current status.
                         * @enum {string}
                         */
                        status: "active" | "past_due" | "cancelled";
                        /** @description When the paid period began, in milliseconds since 1970. Null if unknown. */
                        currentPeriodStart: number | null;
                        /** @description When the paid period ends, in milliseconds since 1970. Null if unknown. */
                        currentPeriodEnd: number | null;
                        /** @description Who reported it: `stripe` or `operator`. */
                        provider: string;
                        /**
                         * @description The plan before the change.
                         * @enum {string}
                         */
                        previousPlan: "free" | "starter" | "growth" | "business" | "enterprise";
                    };
                };
            };
        };
        responses: {
            /** @description The receiver wants no further deliveries: the webhook is paused */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not delivered: nothing is sent to the webhook until `Retry-After` has passed, for at most an hour. The same applies to 503 */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not delivered: the delivery is tried again */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onSubscriptionRefunded: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the delivery. It is the same in every attempt, and if the delivery is resent. */
                "webhook-id": string;
                /** @description The time of the attempt, in seconds since 1970. Refuse a request that is more than five minutes off. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{raw body}` in base64. The key is the base64 part of the secret after `whsec_`. While a secret is being rotated, there are two signatures, separated by a space. One of them must match. */
                "webhook-signature": string;
                /** @description `true` in a test delivery that you requested, absent in all others. The header is not signed. */
                "webhook-test"?: string;
                /** @description For older receivers: `sha256=` and the HMAC-SHA256 of the raw body in hex. The key is the text of the secret, including `whsec_`. The time is not signed. */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description JSON in UTF-8. Verify the bytes as received, before parsing. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_7Rk2mQw8Z4nX5cPq",
                 *       "type": "subscription.refunded",
                 *       "createdAt": "2026-05-04T12:00:00.000Z",
                 *       "data": {
                 *         "subscriptionId": "sub_4nX5cPq7Rk2mQw8Z",
                 *         "plan": "growth",
                 *         "status": "active",
                 *         "currentPeriodStart": 1777896000000,
                 *         "currentPeriodEnd": 1780574400000,
                 *         "provider": "stripe",
                 *         "amount": 2900,
                 *         "currency": "eur"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description The id of the event. An event that is delivered twice has the same id. */
                    id: string;
                    /**
                     * @description What has happened.
                     * @constant
                     */
                    type: "subscription.refunded";
                    /**
                     * Format: date-time
                     * @description When it happened (ISO 8601, UTC).
                     */
                    createdAt: string;
                    /** @description The details, which depend on the type. */
                    data: {
                        /** @description The subscription of the workspace. */
                        subscriptionId: string;
                        /**
                         * @description The current plan.
                         * @enum {string}
                         */
                        plan: "free" | "starter" | "growth" | "business" | "enterprise";
                        /**
                         * @description The current status.
                         * @enum {string}
                         */
                        status: "active" | "past_due" | "cancelled";
                        /** @description When the paid period began, in milliseconds since 1970. Null if unknown. */
                        currentPeriodStart: number | null;
                        /** @description When the paid period ends, in milliseconds since 1970. Null if unknown. */
                        currentPeriodEnd: number | null;
                        /** @description Who reported it: `stripe` or `operator`. */
                        provider: string;
                        /** @description The amount, in the smallest unit of the currency. */
                        amount: number;
                        /** @description The currency: ISO 4217, in lower case. */
                        currency: string;
                    };
                };
            };
        };
        responses: {
            /** @description The receiver wants no further deliveries: the webhook is paused */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not delivered: nothing is sent to the webhook until `Retry-After` has passed, for at most an hour. The same applies to 503 */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not delivered: the delivery is tried again */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onScanCreatedBatch: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the delivery. It is the same in every attempt, and if the delivery is resent. */
                "webhook-id": string;
                /** @description The time of the attempt, in seconds since 1970. Refuse a request that is more than five minutes off. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{raw body}` in base64. The key is the base64 part of the secret after `whsec_`. While a secret is being rotated, there are two signatures, separated by a space. One of them must match. */
                "webhook-signature": string;
                /** @description `true` in a test delivery that you requested, absent in all others. The header is not signed. */
                "webhook-test"?: string;
                /** @description For older receivers: `sha256=` and the HMAC-SHA256 of the raw body in hex. The key is the text of the secret, including `whsec_`. The time is not signed. */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description JSON in UTF-8. Verify the bytes as received, before parsing. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_7Rk2mQw8Z4nX5cPq",
                 *       "type": "scan.created.batch",
                 *       "createdAt": "2026-05-04T12:00:00.000Z",
                 *       "data": {
                 *         "events": [
                 *           {
                 *             "id": "evt_7Rk2mQw8Z4nX5cPq",
                 *             "type": "scan.created",
                 *             "createdAt": "2026-05-04T12:00:00.000Z",
                 *             "data": {
                 *               "qrId": "nX5cPq7Rk",
                 *               "shortId": "nX5cPq7Rk",
                 *               "country": "DE",
                 *               "device": "mobile"
                 *             }
                 *           },
                 *           {
                 *             "id": "evt_2mQw8Z4nX5cPq7Rk",
                 *             "type": "scan.created",
                 *             "createdAt": "2026-05-04T12:00:00.000Z",
                 *             "data": {
                 *               "qrId": "nX5cPq7Rk",
                 *               "shortId": "nX5cPq7Rk",
                 *               "country": "DE",
                 *               "device": "mobile"
                 *             }
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description The id of the event. An event that is delivered twice has the same id. */
                    id: string;
                    /**
                     * @description What has happened.
                     * @constant
                     */
                    type: "scan.created.batch";
                    /**
                     * Format: date-time
                     * @description When it happened (ISO 8601, UTC).
                     */
                    createdAt: string;
                    /** @description The details, which depend on the type. */
                    data: {
                        /** @description The scans, each as it would be sent singly. */
                        events: {
                            /** @description The id of the event. An event that is delivered twice has the same id. */
                            id: string;
                            /**
                             * @description What has happened.
                             * @constant
                             */
                            type: "scan.created";
                            /**
                             * Format: date-time
                             * @description When it happened (ISO 8601, UTC).
                             */
                            createdAt: string;
                            /** @description The details, which depend on the type. */
                            data: {
                                /** @description The id of the code. */
                                qrId: string;
                                /** @description The same as `qrId`: a code has only one id. */
                                shortId: string;
                                /** @description The country of the scan (ISO 3166-1 alpha-2). Null if unknown. */
                                country: string | null;
                                /**
                                 * @description The kind of device.
                                 * @enum {string}
                                 */
                                device: "mobile" | "tablet" | "desktop";
                                /** @description The destination of the routing rule that decided. Absent if none did. */
                                routedTo?: string;
                                /** @description The variant that the campaign picked. Absent if there is none. */
                                variantId?: string;
                                /** @description The name of that variant. */
                                variantName?: string;
                            };
                        }[];
                    };
                };
            };
        };
        responses: {
            /** @description The receiver wants no further deliveries: the webhook is paused */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not delivered: nothing is sent to the webhook until `Retry-After` has passed, for at most an hour. The same applies to 503 */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not delivered: the delivery is tried again */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
