// The data of the page: the Go type data of contract.go.

export const data = JSON.parse(document.getElementById("data").textContent);
