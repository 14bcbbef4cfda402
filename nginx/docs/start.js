// Shows the document of the server that this page comes from. Nothing is asked of any other host: the viewer's own
// default would send the document's address to a validator on the Internet.
SwaggerUIBundle({
    url: '/v1/openapi.json',
    dom_id: '#documentation',
    validatorUrl: null,
    queryConfigEnabled: false,
    deepLinking: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    requestSnippetsEnabled: true,
});
