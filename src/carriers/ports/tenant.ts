/** The tenant of an order, for carriers that keep customers apart or store a reference of the customer. */
export type OrderingTenant = { readonly id: string; readonly name: string };
