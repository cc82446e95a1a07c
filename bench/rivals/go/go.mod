module urlset.example/bench

go 1.22

require (
	github.com/oxffaa/gopher-parse-sitemap v0.0.0-20191021113419-005d2eb1def4
	github.com/snabb/sitemap v1.0.4
)

require github.com/snabb/diagio v1.0.4 // indirect
