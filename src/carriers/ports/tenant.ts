/** The tenant that an order is for: for what a carrier keeps apart by customer, and for its reference of a customer. */
export type OrderingTenant = { readonly id: string; readonly name: string };
