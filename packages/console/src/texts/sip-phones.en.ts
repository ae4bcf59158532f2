/** The texts in English. */
export const en = () => ({
  list: {
    telephones: 'Telephones',
    telephonesTenantsRegister: 'Telephones of tenants that register at your SIP engine. Routing rings them.',
    name: 'Name',
    number: 'Number',
    tenant: 'Tenant',
    extensions: 'Extensions',
    registration: 'Registration',
    noTelephonesYet: 'No telephones yet',
    tenantNoTelephones: 'This tenant has no telephones',
    testModeThere:
      'In test mode there is no SIP engine, and every name is a telephone that answers, such as sip_phone:front.',
    operatorInstallationMakes:
      'The operator of the installation makes telephones at a SIP engine, each with the tenant that it belongs to.',
  },
});
