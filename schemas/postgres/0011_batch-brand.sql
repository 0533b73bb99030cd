-- What the verification page shows of a batch's brand and product, apart from their names.
ALTER TABLE serialized_batches
    -- A data URL of a small WebP, made from the picture that the owner sent.
    ADD COLUMN product_image text,
    ADD COLUMN brand_url     text,
    -- http, https, tel or mailto.
    ADD COLUMN support_url   text,
    ADD COLUMN register_url  text;
