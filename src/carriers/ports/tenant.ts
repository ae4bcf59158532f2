/** The tenant of an order. Some carriers separate customers, or store a reference of the customer. */
export type OrderingTenant = { readonly id: string; readonly name: string };
