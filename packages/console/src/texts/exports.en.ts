/** The texts in English. */
export const en = () => ({
  exportPerson: {
    exportBeingMade: 'The export is being made.',
    exportAPerson: 'Export a person',
    export: 'Export',
    theirNumber: 'Their number',
  },
  list: {
    exportAPerson: 'Export a person',
    exports: 'Exports',
    allTenantAbout: 'All that a tenant has about a person, as a ZIP file. It is deleted after seven days.',
    askedFor: 'Asked for',
    tenant: 'Tenant',
    id: 'Id',
    status: 'Status',
    file: 'File',
    noPersonWas: 'No person was exported',
    noPersonTenant: 'No person of this tenant was exported',
    exportTextsCalls: 'An export has the texts, calls, audio and opt-outs of a person, for a request to see them.',
    beingMade: 'It is being made…',
    askAgain: 'Ask for it again',
    deleted: 'deleted',
    downloadOf: (id: string) => `Download ${id}`,
    download: 'Download',
  },
});
