//! C#: `using` names a namespace; every file that is part of it is meant.

use wherein_corpus::Import;

use super::names::Packages;
use super::{Reason, Target};

/// The files of a namespace, or of the one around a type.
pub fn resolve(packages: &Packages, import: &Import) -> Target {
    let source = import.source.as_str();
    if let Some(files) = packages.files(source) {
        return Target::Files(files.to_vec());
    }
    let declared = source.rsplit_once('.').and_then(|(space, name)| packages.declares(space, name));
    super::found(declared, Reason::External)
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;

    #[test]
    fn a_namespace_is_every_file_that_is_part_of_it() {
        let files = [
            ("A.cs", "using Shop.Items;\nusing System;\nnamespace Shop { class A {} }\n"),
            ("x/B.cs", "namespace Shop.Items;\nclass B {}\n"),
            ("x/C.cs", "namespace Shop.Items { class C {} }\n"),
        ];
        check(&files, "A.cs", &["x/B.cs,x/C.cs", "External"]);
    }
}
