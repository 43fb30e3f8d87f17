//! From words to statements.

use super::lexer::{SqlPlace, SqlToken, SqlWord, tokens};
use super::statement::{
    ColumnDefinition, CreateIndex, CreateTable, KeyColumn, SqlComparison, SqlExpression, SqlName,
    SqlProperty, SqlQuery, SqlStatement,
};
use crate::base::Problem;

/// Words that statements begin with.
const BEGINS: [&str; 12] = [
    "CREATE", "ALTER", "SELECT", "UPSERT", "DELETE", "DROP", "EXPLAIN", "SHOW", "USE", "UPDATE", "GRANT",
    "TRUNCATE",
];
/// Brackets within brackets that are read.
const DEEPEST: usize = 64;

/// The statements of a text. What cannot be read is left out up to the next statement, with a problem.
pub(super) fn statements(text: &str, problems: &mut Vec<Problem>) -> Vec<SqlStatement> {
    let tokens = tokens(text, problems);
    let mut found = Vec::new();
    let Some(end) = tokens.last() else { return found };
    let mut parser = SqlParser { text, tokens: &tokens, end, at: 0, depth: 0 };
    while !parser.is_end() {
        if parser.takes(";") {
            continue;
        }
        let start = parser.at;
        match parser.statement() {
            Ok(statement) => {
                let is_cut = !matches!(statement, SqlStatement::Other(..)) && !parser.ends_statement();
                if is_cut {
                    problems.push(parser.unexpected("the end of the statement"));
                }
                // The unread rest of a query may be its condition.
                if !is_cut || !matches!(statement, SqlStatement::Query(_)) {
                    found.push(statement);
                }
            }
            Err(problem) => problems.push(problem),
        }
        parser.skip_statement(start);
    }
    found
}

struct SqlParser<'a> {
    text: &'a str,
    tokens: &'a [SqlToken],
    /// The last of them.
    end: &'a SqlToken,
    at: usize,
    depth: usize,
}

type Parsed<T> = Result<T, Problem>;

impl<'a> SqlParser<'a> {
    fn token(&self, ahead: usize) -> &'a SqlToken {
        self.tokens.get(self.at + ahead).unwrap_or(self.end)
    }

    fn word(&self) -> &'a SqlWord {
        &self.token(0).word
    }

    fn is_end(&self) -> bool {
        *self.word() == SqlWord::End
    }

    fn is_keyword(&self, ahead: usize, keyword: &str) -> bool {
        matches!(&self.token(ahead).word, SqlWord::Name(name) if name == keyword)
    }

    /// True if these keywords come next; then they are taken.
    fn takes_words(&mut self, keywords: &[&str]) -> bool {
        let all = keywords.iter().enumerate().all(|(ahead, keyword)| self.is_keyword(ahead, keyword));
        self.at += if all { keywords.len() } else { 0 };
        all
    }

    fn takes_word(&mut self, keyword: &str) -> bool {
        self.takes_words(&[keyword])
    }

    fn takes(&mut self, symbol: &str) -> bool {
        let is = matches!(self.word(), SqlWord::Symbol(own) if *own == symbol);
        self.at += usize::from(is);
        is
    }

    fn unexpected(&self, wanted: &str) -> Problem {
        let token = self.token(0);
        let found = self.text.get(token.span.0..token.span.1).unwrap_or_default();
        let problem = Problem::new("sql.unexpected").with("wanted", wanted);
        token.at.tell(match found {
            "" => Problem::new("sql.ends-early").with("wanted", wanted),
            found => problem.with("found", found),
        })
    }

    fn expect(&mut self, symbol: &str) -> Parsed<()> {
        if self.takes(symbol) { Ok(()) } else { Err(self.unexpected(symbol)) }
    }

    fn expect_word(&mut self, keyword: &str) -> Parsed<()> {
        if self.takes_word(keyword) { Ok(()) } else { Err(self.unexpected(keyword)) }
    }

    fn name(&mut self) -> Parsed<(String, SqlPlace)> {
        let token = self.token(0);
        match &token.word {
            SqlWord::Name(name) | SqlWord::Quoted(name) => {
                self.at += 1;
                Ok((name.clone(), token.at))
            }
            _ => Err(self.unexpected("a name")),
        }
    }

    /// Names with points between them.
    fn dotted(&mut self) -> Parsed<(Vec<String>, SqlPlace)> {
        let (first, at) = self.name()?;
        let mut all = vec![first];
        while self.takes(".") {
            all.push(self.name()?.0);
        }
        Ok((all, at))
    }

    fn table_name(&mut self) -> Parsed<SqlName> {
        let (mut all, at) = self.dotted()?;
        let name = all.pop().unwrap_or_default();
        Ok(SqlName { schema: (!all.is_empty()).then(|| all.join(".")), name, at })
    }

    fn number(&mut self) -> Parsed<u32> {
        let SqlWord::Number(number) = self.word() else { return Err(self.unexpected("a number")) };
        let number = number.parse().map_err(|_| self.unexpected("a number"))?;
        self.at += 1;
        Ok(number)
    }

    /// Goes to where the next statement begins: behind a semicolon, or at a line that begins with its first word.
    fn skip_statement(&mut self, start: usize) {
        self.depth = 0;
        if self.at == start {
            self.at += 1;
        }
        while !self.ends_statement() {
            self.at += 1;
        }
        self.takes(";");
    }

    fn ends_statement(&self) -> bool {
        let token = self.token(0);
        match &token.word {
            SqlWord::End | SqlWord::Symbol(";") => true,
            SqlWord::Name(name) => token.begins_line && BEGINS.contains(&name.as_str()),
            _ => false,
        }
    }

    fn statement(&mut self) -> Parsed<SqlStatement> {
        let token = self.token(0);
        while self.takes_word("EXPLAIN") {
            self.takes_words(&["WITH", "REGIONS"]);
        }
        if self.takes_word("CREATE") {
            return self.create(token);
        }
        if self.is_keyword(0, "ALTER") && (self.is_keyword(1, "TABLE") || self.is_keyword(1, "VIEW")) {
            self.at += 2;
            let name = self.table_name()?;
            if self.takes_word("ADD") {
                self.takes_words(&["IF", "NOT", "EXISTS"]);
                let columns = self.column_definitions()?;
                return Ok(SqlStatement::Add(name, columns, self.properties()?));
            }
            return Ok(self.other(token));
        }
        match self.word() {
            SqlWord::Name(name) if name == "SELECT" => Ok(SqlStatement::Query(self.query(token)?)),
            SqlWord::Name(name) if name == "DELETE" => Ok(SqlStatement::Query(self.delete(token)?)),
            SqlWord::Name(name) if name == "UPSERT" => self.upsert(token),
            SqlWord::Name(name) if BEGINS.contains(&name.as_str()) => Ok(self.other(token)),
            _ => Err(self.unexpected("CREATE, ALTER, SELECT, UPSERT or DELETE")),
        }
    }

    /// A statement that is not read, by its first words.
    fn other(&self, first: &SqlToken) -> SqlStatement {
        let rest = self.text.get(first.span.0..).unwrap_or_default();
        let words: Vec<&str> = rest.split_whitespace().take(3).collect();
        SqlStatement::Other(words.join(" ").trim_end_matches(';').to_owned(), first.at)
    }

    fn create(&mut self, first: &SqlToken) -> Parsed<SqlStatement> {
        let immutable = self.takes_word("IMMUTABLE");
        if self.takes_word("TABLE") {
            return self.create_table(false, immutable).map(SqlStatement::Table);
        }
        if self.takes_word("VIEW") {
            return self.create_table(true, immutable).map(SqlStatement::Table);
        }
        let mut index = (false, false);
        index.1 = self.takes_word("UNCOVERED");
        index.0 = self.takes_word("LOCAL");
        if self.takes_word("INDEX") {
            return self.create_index(index).map(SqlStatement::Index);
        }
        Ok(self.other(first))
    }

    fn create_table(&mut self, is_view: bool, immutable: bool) -> Parsed<CreateTable> {
        self.takes_words(&["IF", "NOT", "EXISTS"]);
        let mut table = CreateTable {
            name: self.table_name()?,
            is_view,
            immutable,
            columns: Vec::new(),
            key: Vec::new(),
            properties: Vec::new(),
            splits: Vec::new(),
            of: None,
            condition: None,
        };
        if !is_view || matches!(self.word(), SqlWord::Symbol("(")) {
            self.expect("(")?;
            loop {
                if self.takes_word("CONSTRAINT") {
                    self.name()?;
                    table.key = self.primary_key()?;
                } else {
                    table.columns.push(self.column_definition()?);
                }
                // The comma before the constraint may be missing.
                if !self.takes(",") && !self.is_keyword(0, "CONSTRAINT") {
                    break;
                }
            }
            self.expect(")")?;
        }
        if is_view && self.takes_words(&["AS", "SELECT"]) {
            self.expect("*")?;
            self.expect_word("FROM")?;
            table.of = Some(self.table_name()?);
            if self.takes_word("WHERE") {
                table.condition = Some(self.expression()?);
            }
        }
        self.takes_word("NOVERIFY");
        table.properties = self.properties()?;
        table.splits = self.splits()?;
        Ok(table)
    }

    fn splits(&mut self) -> Parsed<Vec<SqlExpression>> {
        if !self.takes_words(&["SPLIT", "ON"]) {
            return Ok(Vec::new());
        }
        self.expect("(")?;
        let splits = self.listed()?;
        self.expect(")")?;
        Ok(splits)
    }

    /// `PRIMARY KEY (A DESC, B)`.
    fn primary_key(&mut self) -> Parsed<Vec<KeyColumn>> {
        self.expect_word("PRIMARY")?;
        self.expect_word("KEY")?;
        self.expect("(")?;
        let mut key = Vec::new();
        loop {
            let (name, at) = self.name()?;
            let (descending, is_row_timestamp) = self.key_order();
            key.push(KeyColumn { name, descending, is_row_timestamp, at });
            if !self.takes(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(key)
    }

    /// `DESC` and `ROW_TIMESTAMP` behind a column of a key.
    fn key_order(&mut self) -> (bool, bool) {
        let descending = self.descending();
        (descending, self.takes_word("ROW_TIMESTAMP"))
    }

    fn descending(&mut self) -> bool {
        let descending = self.takes_word("DESC");
        if !descending {
            self.takes_word("ASC");
        }
        descending
    }

    fn column_definitions(&mut self) -> Parsed<Vec<ColumnDefinition>> {
        let mut all = vec![self.column_definition()?];
        while self.takes(",") {
            all.push(self.column_definition()?);
        }
        Ok(all)
    }

    fn column_definition(&mut self) -> Parsed<ColumnDefinition> {
        let (mut names, at) = self.dotted()?;
        let name = names.pop().unwrap_or_default();
        let type_name = self.name()?.0.to_uppercase();
        let mut sizes = Vec::new();
        if self.takes("(") {
            sizes.push(self.number()?);
            if self.takes(",") {
                sizes.push(self.number()?);
            }
            self.expect(")")?;
        }
        let mut is_array = self.takes_word("ARRAY");
        if self.takes("[") {
            is_array = true;
            if matches!(self.word(), SqlWord::Number(_)) {
                self.number()?;
            }
            self.expect("]")?;
        }
        let nullable = match () {
            () if self.takes_words(&["NOT", "NULL"]) => Some(false),
            () if self.takes_word("NULL") => Some(true),
            () => None,
        };
        if self.takes_word("DEFAULT") {
            self.expression()?;
        }
        let key = self.takes_words(&["PRIMARY", "KEY"]).then(|| {
            let (descending, is_row_timestamp) = self.key_order();
            KeyColumn { name: name.clone(), descending, is_row_timestamp, at }
        });
        let qualifier = if self.takes_word("ENCODED_QUALIFIER") { Some(self.number()?) } else { None };
        Ok(ColumnDefinition {
            family: names.pop(),
            name,
            type_name,
            sizes,
            is_array,
            nullable,
            key,
            qualifier,
            at,
        })
    }

    fn properties(&mut self) -> Parsed<Vec<SqlProperty>> {
        let mut all = Vec::new();
        let is_name = |word: &SqlWord| match word {
            SqlWord::Name(name) => name != "SPLIT" && !BEGINS.contains(&name.as_str()),
            SqlWord::Quoted(_) => true,
            _ => false,
        };
        while is_name(self.word()) {
            let (mut names, _) = self.dotted()?;
            self.expect("=")?;
            let token = self.token(0);
            let minus = if self.takes("-") { "-" } else { "" };
            let value = match &self.token(0).word {
                SqlWord::Name(text) | SqlWord::Quoted(text) | SqlWord::Text(text) | SqlWord::Number(text) => {
                    format!("{minus}{text}")
                }
                _ => return Err(token.at.tell(self.unexpected("a value"))),
            };
            self.at += 1;
            let name = names.pop().unwrap_or_default();
            all.push(SqlProperty { family: names.pop(), name, value });
            self.takes(",");
        }
        Ok(all)
    }

    fn create_index(&mut self, (is_local, is_uncovered): (bool, bool)) -> Parsed<CreateIndex> {
        self.takes_words(&["IF", "NOT", "EXISTS"]);
        let name = self.table_name()?;
        self.expect_word("ON")?;
        let of = self.table_name()?;
        self.expect("(")?;
        let key = self.sorted_by()?;
        self.expect(")")?;
        let mut included = Vec::new();
        if self.takes_word("INCLUDE") {
            self.expect("(")?;
            loop {
                included.extend(self.dotted()?.0.pop());
                if !self.takes(",") {
                    break;
                }
            }
            self.expect(")")?;
        }
        let condition = if self.takes_word("WHERE") { Some(self.expression()?) } else { None };
        self.takes_word("ASYNC");
        let properties = self.properties()?;
        let splits = self.splits()?;
        Ok(CreateIndex { name, of, is_local, is_uncovered, key, included, condition, properties, splits })
    }

    /// Expressions, each with whether it descends.
    fn sorted_by(&mut self) -> Parsed<Vec<(SqlExpression, bool)>> {
        let mut all = Vec::new();
        loop {
            let expression = self.expression()?;
            all.push((expression, self.descending()));
            if self.takes_word("NULLS") {
                self.at += 1;
            }
            if !self.takes(",") {
                return Ok(all);
            }
        }
    }

    fn delete(&mut self, first: &SqlToken) -> Parsed<SqlQuery> {
        self.expect_word("DELETE")?;
        self.expect_word("FROM")?;
        let table = Some(self.table_name()?);
        let query = SqlQuery { table, deletes: true, ..self.empty_query(first) };
        self.rest_of_query(query, first)
    }

    /// `UPSERT … SELECT` reads a table; `UPSERT … VALUES` does not.
    fn upsert(&mut self, first: &SqlToken) -> Parsed<SqlStatement> {
        let mut depth = 0;
        while !self.is_end() && !matches!(self.word(), SqlWord::Symbol(";")) {
            match self.word() {
                SqlWord::Symbol("(") => depth += 1,
                SqlWord::Symbol(")") => depth -= 1,
                SqlWord::Name(name) if name == "SELECT" && depth == 0 => {
                    return Ok(SqlStatement::Query(self.query(first)?));
                }
                SqlWord::Name(name) if name == "VALUES" && depth == 0 => break,
                _ => {}
            }
            self.at += 1;
        }
        Ok(self.other(first))
    }

    fn empty_query(&self, first: &SqlToken) -> SqlQuery {
        SqlQuery {
            comment: first.comment.clone(),
            text: String::new(),
            table: None,
            columns: None,
            condition: None,
            order: Vec::new(),
            limit: None,
            is_grouped: false,
            deletes: false,
            joins: false,
            at: first.at,
        }
    }

    fn query(&mut self, first: &SqlToken) -> Parsed<SqlQuery> {
        self.expect_word("SELECT")?;
        let is_distinct = self.takes_word("DISTINCT");
        self.takes_word("ALL");
        let mut query = SqlQuery { is_grouped: is_distinct, ..self.empty_query(first) };
        if !self.takes("*") {
            query.columns = Some(self.selected()?);
        }
        if self.takes_word("FROM") {
            if matches!(self.word(), SqlWord::Symbol("(")) {
                return Err(self.token(0).at.tell(Problem::new("sql.subquery")));
            }
            query.table = Some(self.table_name()?);
            self.alias()?;
            let joins = ["JOIN", "INNER", "LEFT", "RIGHT", "FULL"];
            query.joins = joins.iter().any(|join| self.is_keyword(0, join))
                || matches!(self.word(), SqlWord::Symbol(","));
            if query.joins {
                return Err(self.token(0).at.tell(Problem::new("sql.join")));
            }
        }
        self.rest_of_query(query, first)
    }

    fn alias(&mut self) -> Parsed<()> {
        const FOLLOWS: [&str; 13] = [
            "WHERE", "GROUP", "ORDER", "LIMIT", "HAVING", "OFFSET", "FETCH", "UNION", "JOIN", "INNER",
            "LEFT", "RIGHT", "FULL",
        ];
        let is_alias = |word: &SqlWord| match word {
            SqlWord::Name(name) => !FOLLOWS.contains(&name.as_str()) && !BEGINS.contains(&name.as_str()),
            SqlWord::Quoted(_) => true,
            _ => false,
        };
        if self.takes_word("AS") || is_alias(self.word()) {
            self.name()?;
        }
        Ok(())
    }

    /// The expressions of a SELECT.
    fn selected(&mut self) -> Parsed<Vec<SqlExpression>> {
        let mut all = Vec::new();
        loop {
            all.push(self.expression()?);
            if self.takes_word("AS")
                || !self.is_keyword(0, "FROM") && matches!(self.word(), SqlWord::Name(_) | SqlWord::Quoted(_))
            {
                self.name()?;
            }
            if !self.takes(",") {
                return Ok(all);
            }
        }
    }

    /// From WHERE on.
    fn rest_of_query(&mut self, mut query: SqlQuery, first: &SqlToken) -> Parsed<SqlQuery> {
        if self.takes_word("WHERE") {
            query.condition = Some(self.expression()?);
        }
        if self.takes_words(&["GROUP", "BY"]) {
            query.is_grouped = true;
            self.listed()?;
        }
        if self.takes_word("HAVING") {
            self.expression()?;
        }
        if self.takes_words(&["ORDER", "BY"]) {
            query.order = self.sorted_by()?;
        }
        if self.takes_word("LIMIT") {
            query.limit = if matches!(self.word(), SqlWord::Number(_)) { Some(self.number()?) } else { None };
            self.at += usize::from(matches!(self.word(), SqlWord::Bind));
        }
        if self.takes_word("OFFSET") {
            // The rows that are passed over are read, too.
            let passed = if matches!(self.word(), SqlWord::Number(_)) { self.number()? } else { 0 };
            self.at += usize::from(matches!(self.word(), SqlWord::Bind));
            query.limit = query.limit.map(|limit| limit.saturating_add(passed));
            let _ = self.takes_word("ROWS") || self.takes_word("ROW");
        }
        if self.takes_words(&["FETCH", "FIRST"]) || self.takes_words(&["FETCH", "NEXT"]) {
            query.limit = Some(self.number()?);
            let _ = self.takes_word("ROWS") || self.takes_word("ROW");
            self.takes_word("ONLY");
        }
        if self.is_keyword(0, "UNION") {
            return Err(self.token(0).at.tell(Problem::new("sql.union")));
        }
        let last = self.tokens.get(self.at.saturating_sub(1)).map_or(first.span.1, |last| last.span.1);
        let text = self.text.get(first.span.0..last).unwrap_or_default();
        query.text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        Ok(query)
    }

    fn listed(&mut self) -> Parsed<Vec<SqlExpression>> {
        let mut all = vec![self.expression()?];
        while self.takes(",") {
            all.push(self.expression()?);
        }
        Ok(all)
    }

    fn expression(&mut self) -> Parsed<SqlExpression> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.token(0).at.tell(Problem::new("sql.too-deep").with("limit", DEEPEST)));
        }
        let mut all = vec![self.conjunction()?];
        while self.takes_word("OR") {
            all.push(self.conjunction()?);
        }
        self.depth -= 1;
        Ok(one_or(all, SqlExpression::Or))
    }

    fn conjunction(&mut self) -> Parsed<SqlExpression> {
        let mut all = vec![self.condition()?];
        while self.takes_word("AND") {
            all.push(self.condition()?);
        }
        Ok(one_or(all, SqlExpression::And))
    }

    fn condition(&mut self) -> Parsed<SqlExpression> {
        let mut is_not = false;
        while self.takes_word("NOT") {
            is_not = !is_not;
        }
        let found = self.comparison()?;
        Ok(if is_not { SqlExpression::Other(vec![found]) } else { found })
    }

    fn comparison(&mut self) -> Parsed<SqlExpression> {
        if self.is_keyword(0, "EXISTS") {
            return Err(self.token(0).at.tell(Problem::new("sql.subquery")));
        }
        let left = self.value()?;
        let comparison = match self.word() {
            SqlWord::Symbol("=") => Some(SqlComparison::Equal),
            SqlWord::Symbol("<") => Some(SqlComparison::Less),
            SqlWord::Symbol("<=") => Some(SqlComparison::LessOrEqual),
            SqlWord::Symbol(">") => Some(SqlComparison::Greater),
            SqlWord::Symbol(">=") => Some(SqlComparison::GreaterOrEqual),
            _ => None,
        };
        if let Some(comparison) = comparison {
            self.at += 1;
            if self.is_keyword(0, "ANY") || self.is_keyword(0, "ALL") {
                return Err(self.token(0).at.tell(Problem::new("sql.subquery")));
            }
            let right = self.value()?;
            return Ok(SqlExpression::Compare(comparison, Box::new(left), Box::new(right)));
        }
        if self.takes("<>") || self.takes("!=") {
            return Ok(SqlExpression::Other(vec![left, self.value()?]));
        }
        if self.takes_word("IS") {
            let not = self.takes_word("NOT");
            self.expect_word("NULL")?;
            return Ok(if not {
                SqlExpression::IsNotNull(Box::new(left))
            } else {
                SqlExpression::IsNull(Box::new(left))
            });
        }
        let not = self.takes_word("NOT");
        let found = if self.takes_word("IN") {
            if self.takes("(") {
                let values = self.listed()?;
                self.expect(")")?;
                SqlExpression::In(Box::new(left), values)
            } else {
                let value = self.value()?;
                SqlExpression::In(Box::new(left), vec![value])
            }
        } else if self.takes_word("BETWEEN") {
            let low = self.value()?;
            self.expect_word("AND")?;
            let high = self.value()?;
            SqlExpression::Between(Box::new(left), Box::new(low), Box::new(high))
        } else if self.takes_word("LIKE") {
            let pattern = self.value()?;
            SqlExpression::Like(Box::new(left), Box::new(pattern))
        } else if self.takes_word("ILIKE") {
            SqlExpression::Other(vec![left, self.value()?])
        } else if not {
            return Err(self.unexpected("IN, BETWEEN or LIKE"));
        } else {
            return Ok(left);
        };
        Ok(if not { SqlExpression::Other(vec![found]) } else { found })
    }

    /// Values joined by operators, of which only a sign is read.
    fn value(&mut self) -> Parsed<SqlExpression> {
        let mut all = vec![self.term()?];
        while ["+", "-", "*", "/", "%", "||"].iter().any(|operator| self.takes(operator)) {
            all.push(self.term()?);
        }
        Ok(one_or(all, SqlExpression::Arithmetic))
    }

    fn term(&mut self) -> Parsed<SqlExpression> {
        let mut is_negative = false;
        while self.takes("-") {
            is_negative = !is_negative;
        }
        let found = self.unsigned()?;
        Ok(match found {
            found if !is_negative => found,
            SqlExpression::Number(number) => SqlExpression::Number(format!("-{number}")),
            other => SqlExpression::Other(vec![other]),
        })
    }

    fn unsigned(&mut self) -> Parsed<SqlExpression> {
        let token = self.token(0);
        let found = match &token.word {
            SqlWord::Text(text) => SqlExpression::Text(text.clone()),
            SqlWord::Bytes(bytes) => SqlExpression::Bytes(bytes.clone()),
            SqlWord::Number(number) => SqlExpression::Number(number.trim_end_matches(['l', 'L']).to_owned()),
            SqlWord::Bind => SqlExpression::Bind,
            SqlWord::Symbol("(") => {
                self.at += 1;
                if self.is_keyword(0, "SELECT") {
                    return Err(token.at.tell(Problem::new("sql.subquery")));
                }
                let values = self.listed()?;
                self.expect(")")?;
                return Ok(one_or(values, SqlExpression::Row));
            }
            SqlWord::Name(name) => return self.named(name, token),
            SqlWord::Quoted(_) => return self.column(),
            _ => return Err(self.unexpected("a value")),
        };
        self.at += 1;
        if self.takes("[") {
            self.value()?;
            self.expect("]")?;
        }
        Ok(found)
    }

    /// A keyword that is a value, a function, or a column.
    fn named(&mut self, name: &str, token: &SqlToken) -> Parsed<SqlExpression> {
        let next = &self.token(1).word;
        if let (true, SqlWord::Text(text)) = (is_time_type(name), next) {
            self.at += 2;
            return Ok(SqlExpression::Time(text.clone()));
        }
        let value = match name {
            "NULL" => Some(SqlExpression::Null),
            "TRUE" => Some(SqlExpression::Boolean(true)),
            "FALSE" => Some(SqlExpression::Boolean(false)),
            _ => None,
        };
        if let Some(value) = value {
            self.at += 1;
            return Ok(value);
        }
        if name == "CASE" {
            return Err(token.at.tell(Problem::new("sql.case")));
        }
        if name == "CAST" && matches!(next, SqlWord::Symbol("(")) {
            self.at += 2;
            let value = self.expression()?;
            self.expect_word("AS")?;
            self.name()?;
            if self.takes("(") {
                self.listed()?;
                self.expect(")")?;
            }
            self.expect(")")?;
            return Ok(SqlExpression::Other(vec![value]));
        }
        if matches!(next, SqlWord::Symbol("(")) {
            self.at += 2;
            self.takes_word("DISTINCT");
            let given = match self.word() {
                SqlWord::Symbol(")") => Vec::new(),
                SqlWord::Symbol("*") => {
                    self.at += 1;
                    Vec::new()
                }
                _ => self.listed()?,
            };
            self.expect(")")?;
            return Ok(SqlExpression::Call(name.to_owned(), given));
        }
        self.column()
    }

    fn column(&mut self) -> Parsed<SqlExpression> {
        let (first, at) = self.name()?;
        let mut name = first;
        while self.takes(".") {
            if self.takes("*") {
                return Ok(SqlExpression::Column("*".to_owned(), at));
            }
            name = self.name()?.0;
        }
        if self.takes("[") {
            self.value()?;
            self.expect("]")?;
            return Ok(SqlExpression::Other(vec![SqlExpression::Column(name, at)]));
        }
        Ok(SqlExpression::Column(name, at))
    }
}

fn is_time_type(name: &str) -> bool {
    matches!(name, "DATE" | "TIME" | "TIMESTAMP" | "UNSIGNED_DATE" | "UNSIGNED_TIME" | "UNSIGNED_TIMESTAMP")
}

/// The only one, or all of them.
fn one_or(mut all: Vec<SqlExpression>, several: fn(Vec<SqlExpression>) -> SqlExpression) -> SqlExpression {
    match (all.pop(), all.is_empty()) {
        (Some(only), true) => only,
        (last, _) => {
            all.extend(last);
            several(all)
        }
    }
}
