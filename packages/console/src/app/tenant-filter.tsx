import { texts } from '../texts/app.ts';
import { FilterBar } from '../ui/filter-bar.tsx';
import { type Filters, useFilters } from './filters.ts';
import { TenantField } from './tenant-field.tsx';

const t = texts.tenantFilter;

type TenantFilterProps = {
  placeholder?: string;
  /** Filters that a new choice of the tenant clears, such as a number of the tenant. */
  clears?: readonly string[];
};

/** Narrows a list to one tenant, which is `tenant_id` in the page's address. */
export function TenantFilter({ placeholder = t.allTenants, clears = [] }: TenantFilterProps) {
  const [{ tenant_id }, setFilters] = useFilters();
  const cleared: Filters = Object.fromEntries(clears.map((name) => [name, undefined]));
  return (
    <TenantField
      placeholder={placeholder}
      value={tenant_id ?? null}
      onChange={(id) => setFilters({ ...cleared, tenant_id: id ?? undefined })}
    />
  );
}

/** The filters of a list that can be narrowed only by the tenant. */
export function TenantFilterBar({ placeholder }: Pick<TenantFilterProps, 'placeholder'>) {
  return (
    <FilterBar>
      <TenantFilter {...(placeholder !== undefined && { placeholder })} />
    </FilterBar>
  );
}
