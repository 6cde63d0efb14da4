-- compatible with: 0015
-- runs: outside of a transaction

-- The search of the portal compares these columns without accents. The expression is the one of query/accents.ts.
CREATE INDEX CONCURRENTLY employee_without_accents ON employee USING gin (organization_id, (
  CASE WHEN octet_length((coalesce(folded_email, '') || ' ' || coalesce(folded_employee_number, '') || ' ' ||
      coalesce(folded_first_name, '') || ' ' || coalesce(folded_last_name, '') || ' ' || coalesce(folded_city, ''))) =
    length((coalesce(folded_email, '') || ' ' || coalesce(folded_employee_number, '') || ' ' ||
      coalesce(folded_first_name, '') || ' ' || coalesce(folded_last_name, '') || ' ' || coalesce(folded_city, '')))
  THEN (coalesce(folded_email, '') || ' ' || coalesce(folded_employee_number, '') || ' ' ||
      coalesce(folded_first_name, '') || ' ' || coalesce(folded_last_name, '') || ' ' || coalesce(folded_city, ''))
  ELSE replace(replace(replace(translate(regexp_replace(normalize(
    (coalesce(folded_email, '') || ' ' || coalesce(folded_employee_number, '') || ' ' ||
      coalesce(folded_first_name, '') || ' ' || coalesce(folded_last_name, '') || ' ' || coalesce(folded_city, '')) || ' ' ||
    replace(replace(replace(replace(replace((coalesce(folded_email, '') || ' ' || coalesce(folded_employee_number, '') || ' ' ||
      coalesce(folded_first_name, '') || ' ' || coalesce(folded_last_name, '') || ' ' || coalesce(folded_city, '')),
      'ä', 'ae'), 'ö', 'oe'), 'ü', 'ue'), 'ø', 'oe'), 'å', 'aa'),
    NFD), '[\u0300-\u036F]', '', 'g'), 'øłđðħŧ', 'olddht'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')
  END
) gin_trgm_ops)
